#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "quoin/communicator.hpp"
#include "ranks/facts.hpp"

namespace quoin {

/// Passes all calls on, counts them and the time that this rank spends in those that wait, and has the first rank ask
/// the others what no problem knows: a rank answers whenever it waits. All ranks of a run have one; each is destroyed
/// where the rank's part of the run has ended, and lets all others end.
class AttentiveRanks final : public Communicator {
 public:
  /// `ranks` outlives it. `trace` is what ask() gets from this rank.
  explicit AttentiveRanks(Communicator& ranks, std::function<std::string()> trace = {});
  ~AttentiveRanks() override;

  /// So far, in the call that waits now as well.
  [[nodiscard]] Traffic traffic() const;

  /// What a rank other than the first says.
  struct Answer {
    Traffic traffic{};
    double clock_ahead = 0.0;  ///< seconds that its steady clock shows more than the first one's
    std::string trace{};
  };
  /// On the first rank, while the others wait for it or will: those of all others, by rank.
  [[nodiscard]] std::vector<Answer> ask(bool with_traces = false);
  /// On the first rank, from beside the thread that has hung in a call: the ranks that do not answer within `patience`
  /// seconds, the first one itself where that thread does not wait for another rank.
  [[nodiscard]] std::vector<int> missing(double patience);

  [[nodiscard]] int rank() const override { return ranks_.rank(); }
  [[nodiscard]] int size() const override { return ranks_.size(); }
  [[nodiscard]] Host host() const override { return ranks_.host(); }
  [[nodiscard]] std::unique_ptr<Transfer> send(std::span<const std::byte> bytes, int to, int tag) override;
  [[nodiscard]] std::unique_ptr<Transfer> receive(std::span<std::byte> bytes, int from, int tag) override {
    return ranks_.receive(bytes, from, tag);
  }
  [[nodiscard]] std::unique_ptr<Transfer> combine(std::span<std::byte> value, Join join) override;
  void broadcast(std::span<std::byte> bytes, int root) override;
  [[nodiscard]] bool done(Transfer& transfer) override { return ranks_.done(transfer); }
  void wait(Transfer& transfer) override;
  void report_failure(const Error& error) noexcept override { ranks_.report_failure(error); }
  [[noreturn]] void abort(int code) noexcept override;

 private:
  enum class Question : std::int64_t { traffic, trace, end };
  /// What comes first of an answer.
  struct Head {
    Traffic traffic;
    double clock;
    std::uint64_t bytes;  ///< that follow
  };

  template <class Wait>
  void count(const Wait& wait);
  void attend();
  void listen();
  void answer();
  void call_roll();
  [[nodiscard]] std::unique_ptr<Transfer> put(Question question, int to);

  Communicator& ranks_;
  std::function<std::string()> trace_;
  Traffic traffic_;
  std::optional<double> since_;  ///< when the call began that waits now
  int exceptions_ = std::uncaught_exceptions();

  // On ranks other than the first: the next question, and answers on their way with their memory.
  Question question_ = Question::traffic;
  std::unique_ptr<Transfer> asked_;
  std::string text_;
  std::vector<std::unique_ptr<Head>> heads_;
  std::vector<std::unique_ptr<Transfer>> answers_;

  // On the first: what the thread beside it wants.
  std::mutex mutex_;
  std::condition_variable called_;
  std::atomic<bool> wanted_{false};
  double patience_ = 0.0;
  std::optional<std::vector<int>> missing_;
  std::vector<Head> unread_;                           // of ranks that did not answer: may come yet
  std::vector<std::unique_ptr<Transfer>> unanswered_;  // so they stay
};

}  // namespace quoin
