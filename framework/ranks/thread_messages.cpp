#include <algorithm>
#include <utility>

#include "ranks/address.hpp"
#include "ranks/thread_transfers.hpp"

namespace quoin::testing {
namespace {

class ThreadSend final : public Awaited {
 public:
  ThreadSend(ThreadRank& rank, std::span<const std::byte> bytes, int to, int tag)
      : post_(rank.post), to_(to), tag_(tag) {
    const std::lock_guard lock(post_->mutex);
    Channel& channel = post_->channels[{rank.number, to, tag}];
    channel.seen_at = std::max(channel.seen_at, rank.some_look(to));
    message_->seen_at = channel.seen_at;
    message_->bytes = bytes;
    const std::int64_t number = channel.sent++;
    const bool may_wait = rank.random && (*rank.random)() % 2 == 0;
    if (!may_wait || channel.asked > number) message_->keep();
    if (channel.given_up.erase(number) == 0) channel.messages[number] = message_;
    post_->changed.notify_all();
  }
  ThreadSend(const ThreadSend&) = delete;
  ThreadSend& operator=(const ThreadSend&) = delete;
  ~ThreadSend() override {
    const std::lock_guard lock(post_->mutex);
    if (!there()) message_->keep();
  }
  [[nodiscard]] bool there() const override { return !message_->with_sender; }
  [[nodiscard]] int awaited_rank() const override { return to_; }
  [[nodiscard]] std::string name() const override {
    return "rank " + std::to_string(to_) + " to receive a message with tag " + std::to_string(tag_);
  }
  void take(std::unique_lock<std::mutex>& /*lock*/) override {}

 private:
  std::shared_ptr<Post> post_;
  std::shared_ptr<Message> message_ = std::make_shared<Message>();
  int to_;
  int tag_;
};

class ThreadReceive final : public Awaited {
 public:
  ThreadReceive(ThreadRank& rank, std::span<std::byte> bytes, int from, int tag)
      : post_(rank.post), rank_(rank.number), bytes_(bytes), from_(from), tag_(tag) {
    const std::lock_guard lock(post_->mutex);
    channel_ = &post_->channels[{from, rank_, tag}];
    number_ = channel_->asked++;
    if (!there() || !message().with_sender) return;
    message().keep();
    post_->changed.notify_all();
  }
  ThreadReceive(const ThreadReceive&) = delete;
  ThreadReceive& operator=(const ThreadReceive&) = delete;
  ~ThreadReceive() override {
    if (!taken && !given_up()) post_->wait_for_last(rank_, *this);
    if (taken || !given_up()) return;
    const std::lock_guard lock(post_->mutex);
    if (channel_->messages.erase(number_) == 0) channel_->given_up.insert(number_);
  }
  [[nodiscard]] bool there() const override { return channel_->messages.contains(number_); }
  [[nodiscard]] std::int64_t seen_at() const override { return message().seen_at; }
  [[nodiscard]] int awaited_rank() const override { return from_; }
  [[nodiscard]] std::string name() const override { return message_name(from_, tag_); }
  void take(std::unique_lock<std::mutex>& /*lock*/) override {
    const std::shared_ptr<Message> came = std::move(channel_->messages.at(number_));
    channel_->messages.erase(number_);
    check_length(bytes_.size(), came->bytes.size(), name(), place_of(rank_, post_->host()));
    std::ranges::copy(came->bytes, bytes_.begin());
  }

 private:
  [[nodiscard]] Message& message() const { return *channel_->messages.at(number_); }

  std::shared_ptr<Post> post_;
  int rank_;
  std::span<std::byte> bytes_;
  int from_;
  int tag_;
  Channel* channel_;
  std::int64_t number_;
};

}  // namespace

std::unique_ptr<Awaited> thread_send(ThreadRank& rank, std::span<const std::byte> bytes, int to, int tag) {
  return std::make_unique<ThreadSend>(rank, bytes, to, tag);
}

std::unique_ptr<Awaited> thread_receive(ThreadRank& rank, std::span<std::byte> bytes, int from, int tag) {
  return std::make_unique<ThreadReceive>(rank, bytes, from, tag);
}

}  // namespace quoin::testing
