#pragma once

// Ranks that are threads of this process, for tests. Of the CMake target Quoin::testing.

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "quoin/communicator.hpp"

namespace quoin::testing {

/// What the ranks of one run share.
struct ThreadRanksState {
  using Message = std::vector<std::byte>;
  struct Meeting {  ///< of a collective call
    std::vector<std::optional<Message>> values;
    std::size_t arrived = 0;
    Message joined;
  };
  explicit ThreadRanksState(int ranks) : size(ranks), ended(static_cast<std::size_t>(ranks)) {}

  std::mutex mutex;
  std::condition_variable changed;
  int size;
  std::map<std::tuple<int, int, int>, std::deque<Message>> sent;  ///< by sender, receiver and tag
  std::map<std::int64_t, Meeting> meetings;                       ///< by the number of the call
  std::optional<std::pair<int, Error>> failure;                   ///< the first, and whose it is
  std::vector<char> ended;
};

class ThreadRank final : public Communicator {
 public:
  ThreadRank(ThreadRanksState& state, int rank, unsigned seed) : state_(state), rank_(rank), seed_(seed) {
    if (seed != 0) random_.seed(seed + static_cast<unsigned>(rank));
  }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return state_.size; }
  [[nodiscard]] Host host() const override { return {"thread", rank_, state_.size}; }

  std::unique_ptr<Transfer> send(std::span<const std::byte> bytes, int to, int tag) override {
    dawdle();
    const std::lock_guard lock(state_.mutex);
    state_.sent[{rank_, to, tag}].emplace_back(bytes.begin(), bytes.end());
    state_.changed.notify_all();
    return std::make_unique<Step>([] { return true; }, [](int /*other*/) { return false; });
  }

  std::unique_ptr<Transfer> receive(std::span<std::byte> bytes, int from, int tag) override {
    return std::make_unique<Step>(
        [this, bytes, from, tag] {
          auto& messages = state_.sent[{from, rank_, tag}];
          if (messages.empty()) return false;
          if (messages.front().size() != bytes.size())
            throw Error(ErrorKind::bug, "a message of " + std::to_string(messages.front().size()) + " bytes, not of " +
                                            std::to_string(bytes.size()));
          std::ranges::copy(messages.front(), bytes.begin());
          messages.pop_front();
          return true;
        },
        [from](int other) { return other == from; });
  }

  std::unique_ptr<Transfer> combine(std::span<std::byte> value, Join join) override {
    return meet(value, [this, join = std::move(join)](ThreadRanksState::Meeting& meeting) {
      meeting.joined = joined(meeting.values, 0, meeting.values.size(), join);
    });
  }

  void broadcast(std::span<std::byte> bytes, int root) override {
    const auto transfer = meet(bytes, [root](ThreadRanksState::Meeting& meeting) {
      meeting.joined = *meeting.values[static_cast<std::size_t>(root)];
    });
    wait(*transfer);
  }

  bool done(Transfer& transfer) override {
    const std::lock_guard lock(state_.mutex);
    return step(transfer);
  }

  void wait(Transfer& transfer) override {
    dawdle();
    std::unique_lock lock(state_.mutex);
    state_.changed.wait(lock, [&] { return step(transfer); });
  }

  void report_failure(const Error& error) noexcept override {
    const std::lock_guard lock(state_.mutex);
    if (!state_.failure) state_.failure.emplace(rank_, error);
    state_.changed.notify_all();
  }
  [[noreturn]] void abort(int code) noexcept override { std::_Exit(code); }

 private:
  /// What is tried until it is done, and whether that needs another rank to do something yet.
  class Step final : public Transfer {
   public:
    Step(std::function<bool()> attempt, std::function<bool(int other)> needed)
        : try_it(std::move(attempt)), needs(std::move(needed)) {}
    std::function<bool()> try_it;
    std::function<bool(int other)> needs;
    bool over = false;
  };

  bool step(Transfer& transfer) {
    auto& one = static_cast<Step&>(transfer);
    if (one.over || (one.over = one.try_it())) return true;
    if (state_.failure)
      throw Error(state_.failure->second.kind(), state_.failure->second.what(),
                  "rank " + std::to_string(state_.failure->first));
    for (int other = 0; other < state_.size; ++other)
      if (state_.ended[static_cast<std::size_t>(other)] != 0 && one.needs(other))
        throw Error(ErrorKind::bug, "rank " + std::to_string(other) + " has ended");
    return false;
  }

  /// Hands in a value; the last rank to come works out what all of them get.
  template <class Work>
  std::unique_ptr<Transfer> meet(std::span<std::byte> value, Work work) {
    dawdle();
    const std::int64_t number = meetings_++;
    {
      const std::lock_guard lock(state_.mutex);
      ThreadRanksState::Meeting& meeting = state_.meetings[number];
      meeting.values.resize(static_cast<std::size_t>(state_.size));
      meeting.values[static_cast<std::size_t>(rank_)].emplace(value.begin(), value.end());
      if (++meeting.arrived == meeting.values.size()) work(meeting);
      state_.changed.notify_all();
    }
    return std::make_unique<Step>(
        [this, number, value] {
          const ThreadRanksState::Meeting& meeting = state_.meetings[number];
          if (meeting.arrived < meeting.values.size()) return false;
          if (meeting.joined.size() != value.size())
            throw Error(ErrorKind::bug, "ranks meet with values of different lengths");
          std::ranges::copy(meeting.joined, value.begin());
          return true;
        },
        [this, number](int other) { return !state_.meetings[number].values[static_cast<std::size_t>(other)]; });
  }

  /// In the order of ranks, with brackets where chance wants them.
  ThreadRanksState::Message joined(const std::vector<std::optional<ThreadRanksState::Message>>& values,
                                   std::size_t first, std::size_t last, const Join& join) {
    if (last - first == 1) return *values[first];
    const std::size_t middle = seed_ == 0 ? first + 1 : first + 1 + random_() % (last - first - 1);
    const ThreadRanksState::Message left = joined(values, first, middle, join);
    ThreadRanksState::Message right = joined(values, middle, last, join);
    join(left, right);
    return right;
  }

  void dawdle() {
    if (seed_ != 0) std::this_thread::sleep_for(std::chrono::microseconds(random_() % 50));
  }

  ThreadRanksState& state_;
  int rank_;
  unsigned seed_;
  std::minstd_rand random_;
  std::int64_t meetings_ = 0;
};

/// Calls body(communicator) on so many threads, a rank each. Where one of them throws, the others' calls that wait do
/// so as well; what the first one threw is thrown again. With a seed, ranks come late at random, and values are joined
/// with brackets at random.
inline void run_ranks(int ranks, const std::function<void(Communicator&)>& body, unsigned seed = 0) {
  ThreadRanksState state(ranks);
  std::exception_ptr first;
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank)
      threads.emplace_back([&, rank] {
        ThreadRank communicator(state, rank, seed);
        std::exception_ptr thrown;
        std::optional<Error> failure;
        try {
          body(communicator);
        } catch (const Error& error) {
          thrown = std::current_exception();
          failure = error;
        } catch (const std::exception& error) {
          thrown = std::current_exception();
          failure.emplace(ErrorKind::bug, error.what());
        }
        const std::lock_guard lock(state.mutex);
        state.ended[static_cast<std::size_t>(rank)] = 1;
        if (thrown && !first) first = thrown;
        if (failure && !state.failure) state.failure.emplace(rank, *failure);
        state.changed.notify_all();
      });
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace quoin::testing
