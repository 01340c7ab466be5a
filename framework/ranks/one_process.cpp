#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <vector>

#include "base/host.hpp"
#include "quoin/communicator.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

class OneProcess final : public Communicator {
 public:
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return 1; }
  [[nodiscard]] Host host() const override { return {host_facts().name, 0, 1}; }

  std::unique_ptr<Transfer> send(std::span<const std::byte> bytes, int /*to*/, int tag) override {
    sent_[tag].emplace_back(bytes.begin(), bytes.end());
    return std::make_unique<Done>();
  }
  std::unique_ptr<Transfer> receive(std::span<std::byte> bytes, int /*from*/, int tag) override {
    return std::make_unique<Receipt>(bytes, sent_[tag]);
  }
  std::unique_ptr<Transfer> combine(std::span<std::byte> /*value*/, Join /*join*/) override {
    return std::make_unique<Done>();
  }
  void broadcast(std::span<std::byte> /*bytes*/, int /*root*/) override {}
  bool done(Transfer& transfer) override {
    auto* const receipt = dynamic_cast<Receipt*>(&transfer);
    return receipt == nullptr || receipt->taken();
  }
  void wait(Transfer& transfer) override {
    if (!done(transfer)) throw Error(ErrorKind::bug, "a process waits for a message that it has not sent");
  }
  void report_failure(const Error& /*error*/) noexcept override {}
  [[noreturn]] void abort(int code) noexcept override { std::_Exit(code); }

 private:
  using Messages = std::deque<std::vector<std::byte>>;
  class Done final : public Transfer {};
  class Receipt final : public Transfer {
   public:
    Receipt(std::span<std::byte> into, Messages& from) : into_(into), from_(from) {}
    bool taken() {
      if (taken_ || from_.empty()) return taken_;
      if (from_.front().size() != into_.size()) throw Error(ErrorKind::bug, "a message has another length");
      std::ranges::copy(from_.front(), into_.begin());
      from_.pop_front();
      return taken_ = true;
    }

   private:
    std::span<std::byte> into_;
    Messages& from_;
    bool taken_ = false;
  };

  std::map<int, Messages> sent_;  // by tag
};

}  // namespace

std::unique_ptr<Communicator> one_process() { return std::make_unique<OneProcess>(); }

}  // namespace quoin
