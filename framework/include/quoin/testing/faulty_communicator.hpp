#pragma once

// Ranks among which one call goes wrong, for tests of what comes of that. Of the CMake target Quoin::testing.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "quoin/communicator.hpp"
#include "quoin/error.hpp"

namespace quoin::testing {

/// Forwards to another communicator until its k-th call, from 0, of send, receive, combine, broadcast, done and wait.
class FaultyCommunicator final : public Communicator {
 public:
  enum class Fault {
    throws,         ///< ErrorKind::io, once
    short_message,  ///< the first call from then on that carries bytes carries one less than the others ask for
  };

  /// `ranks` outlives it, and it outlives its transfers.
  FaultyCommunicator(Communicator& ranks, int call, Fault fault) : ranks_(ranks), call_(call), fault_(fault) {}

  /// Until now.
  [[nodiscard]] int calls() const { return calls_; }

  [[nodiscard]] int rank() const override { return ranks_.rank(); }
  [[nodiscard]] int size() const override { return ranks_.size(); }
  [[nodiscard]] Host host() const override { return ranks_.host(); }

  [[nodiscard]] std::unique_ptr<Transfer> send(std::span<const std::byte> bytes, int to, int tag) override {
    return ranks_.send(bytes.first(bytes.size() - lost(bytes.size())), to, tag);
  }
  [[nodiscard]] std::unique_ptr<Transfer> receive(std::span<std::byte> bytes, int from, int tag) override {
    if (lost(bytes.size()) == 0) return ranks_.receive(bytes, from, tag);
    longer_.resize(bytes.size() + 1);
    return ranks_.receive(longer_, from, tag);
  }
  [[nodiscard]] std::unique_ptr<Transfer> combine(std::span<std::byte> value, Join join) override {
    return ranks_.combine(value.first(value.size() - lost(value.size())), std::move(join));
  }
  void broadcast(std::span<std::byte> bytes, int root) override {
    ranks_.broadcast(bytes.first(bytes.size() - lost(bytes.size())), root);
  }
  [[nodiscard]] bool done(Transfer& transfer) override {
    (void)lost(0);
    return ranks_.done(transfer);
  }
  void wait(Transfer& transfer) override {
    (void)lost(0);
    ranks_.wait(transfer);
  }

  void while_waiting(std::function<void()> call) override { ranks_.while_waiting(std::move(call)); }
  void report_failure(const Error& error) noexcept override { ranks_.report_failure(error); }
  void abort(int code) noexcept override { ranks_.abort(code); }

 private:
  /// Counts a call; how many of its bytes are lost.
  std::size_t lost(std::size_t bytes) {
    const int call = calls_++;
    if (fault_ == Fault::throws && call == call_)
      throw Error(ErrorKind::io, "call " + std::to_string(call) + " of the communicator fails, as asked for",
                  "rank " + std::to_string(rank()) + " (" + host().name + ")");
    if (fault_ != Fault::short_message || call < call_ || bytes == 0 || lost_) return 0;
    lost_ = true;
    return 1;
  }

  Communicator& ranks_;
  int call_;
  Fault fault_;
  int calls_ = 0;
  bool lost_ = false;
  std::vector<std::byte> longer_;  ///< than the message
};

}  // namespace quoin::testing
