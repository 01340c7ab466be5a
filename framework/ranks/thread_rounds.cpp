#include <algorithm>
#include <utility>

#include "ranks/address.hpp"
#include "ranks/thread_transfers.hpp"

namespace quoin::testing {
namespace {

/// The rank's next collective call, under the lock. `value` is what it brings.
std::shared_ptr<Round> come(Post& post, int rank, const std::string& call, std::span<const std::byte> value) {
  const std::int64_t number = post.rounds_of[static_cast<std::size_t>(rank)]++;
  std::shared_ptr<Round>& slot = post.rounds[number];
  if (!slot) {
    slot = std::make_shared<Round>(Round{.call = call, .caller = rank});
    slot->values.resize(static_cast<std::size_t>(post.ranks()));
  }
  std::shared_ptr<Round> round = slot;
  if (round->call != call)
    throw Error(ErrorKind::bug,
                "calls " + call + " where rank " + std::to_string(round->caller) + " calls " + round->call,
                place_of(rank, post.host()));
  round->values[static_cast<std::size_t>(rank)].emplace(value.begin(), value.end());
  if (++round->came == post.ranks()) post.rounds.erase(number);
  post.changed.notify_all();
  return round;
}

class ThreadCombine final : public Awaited {
 public:
  ThreadCombine(ThreadRank& rank, std::span<std::byte> value, Communicator::Join join)
      : post_(rank.post), rank_(rank.number), value_(value), join_(std::move(join)) {
    const std::lock_guard lock(post_->mutex);
    if (rank.random) random_.emplace((*rank.random)());
    seen_at_ = rank.some_look(rank_);
    round_ = come(*post_, rank_, "combine()", value);
  }
  ThreadCombine(const ThreadCombine&) = delete;
  ThreadCombine& operator=(const ThreadCombine&) = delete;
  ~ThreadCombine() override {
    if (!taken && !given_up()) post_->wait_for_last(rank_, *this);
  }
  [[nodiscard]] bool there() const override { return round_->came == post_->ranks(); }
  [[nodiscard]] std::int64_t seen_at() const override { return seen_at_; }
  [[nodiscard]] int awaited_rank() const override {
    const auto came = [](const auto& value) { return value.has_value(); };
    return static_cast<int>(std::ranges::find_if_not(round_->values, came) - round_->values.begin());
  }
  [[nodiscard]] std::string name() const override { return "combine() of rank " + std::to_string(awaited_rank()); }
  void take(std::unique_lock<std::mutex>& lock) override {
    lock.unlock();  // the values stay as they are
    for (const auto& value : round_->values)
      check_length(value_.size(), value->size(), "a value of combine()", place_of(rank_, post_->host()));
    std::ranges::copy(joined(0, round_->values.size()), value_.begin());
    lock.lock();
  }

 private:
  std::vector<std::byte> joined(std::size_t first, std::size_t last) {
    if (last - first == 1) return *round_->values[first];
    const std::size_t cut = random_ ? first + 1 + (*random_)() % (last - first - 1) : last - 1;
    const std::vector<std::byte> left = joined(first, cut);
    std::vector<std::byte> right = joined(cut, last);
    join_(left, right);
    return right;
  }

  std::shared_ptr<Post> post_;
  int rank_;
  std::span<std::byte> value_;
  Communicator::Join join_;
  std::optional<Random> random_;
  std::int64_t seen_at_;
  std::shared_ptr<Round> round_;
};

/// At the ranks that it comes to.
class ThreadBroadcast final : public Awaited {
 public:
  ThreadBroadcast(Post& post, int rank, std::span<std::byte> bytes, int root, std::shared_ptr<Round> round)
      : post_(post), rank_(rank), bytes_(bytes), root_(root), round_(std::move(round)) {}
  [[nodiscard]] bool there() const override { return value().has_value(); }
  [[nodiscard]] int awaited_rank() const override { return root_; }
  [[nodiscard]] std::string name() const override { return "broadcast() of rank " + std::to_string(root_); }
  void take(std::unique_lock<std::mutex>& /*lock*/) override {
    check_length(bytes_.size(), value()->size(), "broadcast() of rank " + std::to_string(root_),
                 place_of(rank_, post_.host()));
    std::ranges::copy(*value(), bytes_.begin());
  }

 private:
  [[nodiscard]] const std::optional<std::vector<std::byte>>& value() const {
    return round_->values[static_cast<std::size_t>(root_)];
  }

  Post& post_;
  int rank_;
  std::span<std::byte> bytes_;
  int root_;
  std::shared_ptr<Round> round_;
};

}  // namespace

std::unique_ptr<Awaited> thread_combine(ThreadRank& rank, std::span<std::byte> value, Communicator::Join join) {
  return std::make_unique<ThreadCombine>(rank, value, std::move(join));
}

void thread_broadcast(ThreadRank& rank, std::span<std::byte> bytes, int root,
                      const std::function<void(Awaited&)>& wait) {
  std::unique_lock lock(rank.post->mutex);
  const std::shared_ptr<Round> round =
      come(*rank.post, rank.number, "broadcast() from rank " + std::to_string(root), bytes);
  lock.unlock();
  if (rank.number == root) return;
  ThreadBroadcast broadcast(*rank.post, rank.number, bytes, root, round);
  wait(broadcast);
}

}  // namespace quoin::testing
