#include "quoin/testing/thread_ranks.hpp"

#include <cstdlib>
#include <utility>

#include "base/thread.hpp"
#include "ranks/address.hpp"
#include "ranks/thread_transfers.hpp"

namespace quoin::testing {
namespace {

class ThreadCommunicator final : public Communicator {
 public:
  explicit ThreadCommunicator(ThreadRank rank) : rank_(std::move(rank)) {}

  [[nodiscard]] int rank() const override { return rank_.number; }
  [[nodiscard]] int size() const override { return rank_.post->ranks(); }
  [[nodiscard]] Host host() const override { return {rank_.post->host(), rank(), size()}; }

  [[nodiscard]] std::unique_ptr<Transfer> send(std::span<const std::byte> bytes, int to, int tag) override {
    check_address(*this, to, tag);
    return thread_send(rank_, bytes, to, tag);
  }
  [[nodiscard]] std::unique_ptr<Transfer> receive(std::span<std::byte> bytes, int from, int tag) override {
    check_address(*this, from, tag);
    return thread_receive(rank_, bytes, from, tag);
  }
  [[nodiscard]] std::unique_ptr<Transfer> combine(std::span<std::byte> value, Join join) override {
    return thread_combine(rank_, value, std::move(join));
  }
  void broadcast(std::span<std::byte> bytes, int root) override {
    check_rank(*this, root);
    thread_broadcast(rank_, bytes, root, [this](Awaited& awaited) { wait_for(awaited); });
  }

  [[nodiscard]] bool done(Transfer& transfer) override { return rank_.post->done(rank(), own(transfer)); }
  void wait(Transfer& transfer) override { wait_for(own(transfer)); }
  void while_waiting(std::function<void()> call) override { meanwhile_ = std::move(call); }

  void report_failure(const Error& error) noexcept override {
    rank_.post->fail(rank(), std::make_exception_ptr(error));
  }
  [[noreturn]] void abort(int code) noexcept override { std::_Exit(code); }

 private:
  void wait_for(Awaited& awaited) {
    if (!meanwhile_) return rank_.post->wait(rank(), awaited);
    while (!rank_.post->done(rank(), awaited)) meanwhile_();
  }
  [[nodiscard]] Awaited& own(Transfer& transfer) const {
    if (auto* awaited = dynamic_cast<Awaited*>(&transfer)) return *awaited;
    throw Error(ErrorKind::bug, "a transfer of another communicator", place_of(*this));
  }

  ThreadRank rank_;
  std::function<void()> meanwhile_;
};

std::optional<Random> draws(const RankOptions& options, int rank) {
  if (!options.shuffle) return std::nullopt;
  std::seed_seq seed{*options.shuffle, static_cast<std::uint64_t>(rank)};
  return Random(seed);
}

}  // namespace

void run_ranks(int ranks, const std::function<void(Communicator&)>& body, const RankOptions& options) {
  if (ranks < 1) throw Error(ErrorKind::bug, "a run of " + std::to_string(ranks) + " ranks");
  const auto post = std::make_shared<Post>(ranks, one_process()->host().name);
  const auto work = [&](int rank) {
    try {
      ThreadCommunicator communicator({post, rank, draws(options, rank)});
      body(communicator);
      post->end(rank);
    } catch (...) {
      post->fail(rank, std::current_exception());
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
      try {
        threads.push_back(start_thread([&work, rank] { work(rank); }));
      } catch (...) {
        post->fail(rank, std::current_exception());
      }
    }
  }
  post->close();
}

}  // namespace quoin::testing
