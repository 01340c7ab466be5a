#pragma once

#include "quoin/communicator.hpp"

namespace quoin {

/// Passes all calls on, and counts the time that this rank spends in those that wait.
class WaitingTime final : public Communicator {
 public:
  /// `ranks` outlives it.
  explicit WaitingTime(Communicator& ranks) : ranks_(ranks) {}

  [[nodiscard]] double seconds() const { return seconds_; }

  [[nodiscard]] int rank() const override { return ranks_.rank(); }
  [[nodiscard]] int size() const override { return ranks_.size(); }
  [[nodiscard]] Host host() const override { return ranks_.host(); }
  [[nodiscard]] std::unique_ptr<Transfer> send(std::span<const std::byte> bytes, int to, int tag) override {
    return ranks_.send(bytes, to, tag);
  }
  [[nodiscard]] std::unique_ptr<Transfer> receive(std::span<std::byte> bytes, int from, int tag) override {
    return ranks_.receive(bytes, from, tag);
  }
  [[nodiscard]] std::unique_ptr<Transfer> combine(std::span<std::byte> value, Join join) override {
    return ranks_.combine(value, std::move(join));
  }
  void broadcast(std::span<std::byte> bytes, int root) override;
  [[nodiscard]] bool done(Transfer& transfer) override { return ranks_.done(transfer); }
  void wait(Transfer& transfer) override;
  void report_failure(const Error& error) noexcept override { ranks_.report_failure(error); }
  [[noreturn]] void abort(int code) noexcept override;

 private:
  Communicator& ranks_;
  double seconds_ = 0.0;
};

}  // namespace quoin
