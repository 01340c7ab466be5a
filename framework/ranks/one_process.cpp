#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "quoin/communicator.hpp"
#include "quoin/error.hpp"
#include "ranks/address.hpp"

namespace quoin {
namespace {

/// What a rank has sent to itself with one tag and not yet received. The n-th receive gets the n-th message.
struct OwnMessages {
  std::int64_t sent = 0;
  std::int64_t asked = 0;
  std::map<std::int64_t, std::vector<std::byte>> under_way;
};

/// Where messages lie until they are received, which may be after the communicator has gone.
struct OwnPost {
  std::string place;
  std::map<int, OwnMessages> tags;
};

class DoneAtOnce final : public Communicator::Transfer {};

class OwnReceive final : public Communicator::Transfer {
 public:
  OwnReceive(std::shared_ptr<OwnPost> post, std::span<std::byte> bytes, int tag)
      : post_(std::move(post)), bytes_(bytes), tag_(tag), number_(post_->tags[tag].asked++) {}
  OwnReceive(const OwnReceive&) = delete;
  OwnReceive& operator=(const OwnReceive&) = delete;
  ~OwnReceive() override {
    try {
      (void)done();
    } catch (const Error&) {  // of a message that nobody waits for
    }
  }

  bool done() {
    OwnMessages& messages = post_->tags[tag_];
    if (done_) return true;
    const auto message = messages.under_way.find(number_);
    if (message == messages.under_way.end()) return false;
    done_ = true;
    const std::vector<std::byte> came = std::move(message->second);
    messages.under_way.erase(message);
    check_length(bytes_.size(), came.size(), message_name(0, tag_), post_->place);
    std::ranges::copy(came, bytes_.begin());
    return true;
  }
  void wait() {
    if (!done())
      throw Error(ErrorKind::bug, "waits for " + message_name(0, tag_) + ", itself, that it has not sent",
                  post_->place);
  }

 private:
  std::shared_ptr<OwnPost> post_;
  std::span<std::byte> bytes_;
  int tag_;
  std::int64_t number_;
  bool done_ = false;
};

class OneProcess final : public Communicator {
 public:
  OneProcess() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    host_.name = name.data();
    post_->place = place_of(0, host_.name);
  }
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return 1; }
  [[nodiscard]] Host host() const override { return host_; }

  [[nodiscard]] std::unique_ptr<Transfer> send(std::span<const std::byte> bytes, int to, int tag) override {
    check_address(*this, to, tag);
    OwnMessages& messages = post_->tags[tag];
    messages.under_way[messages.sent++].assign(bytes.begin(), bytes.end());
    return std::make_unique<DoneAtOnce>();
  }
  [[nodiscard]] std::unique_ptr<Transfer> receive(std::span<std::byte> bytes, int from, int tag) override {
    check_address(*this, from, tag);
    return std::make_unique<OwnReceive>(post_, bytes, tag);
  }
  [[nodiscard]] std::unique_ptr<Transfer> combine(std::span<std::byte> /*value*/, Join /*join*/) override {
    return std::make_unique<DoneAtOnce>();
  }
  void broadcast(std::span<std::byte> /*bytes*/, int root) override { check_rank(*this, root); }

  [[nodiscard]] bool done(Transfer& transfer) override {
    auto* receive = dynamic_cast<OwnReceive*>(&transfer);
    return receive == nullptr || receive->done();
  }
  void wait(Transfer& transfer) override {
    if (auto* receive = dynamic_cast<OwnReceive*>(&transfer)) receive->wait();
  }

  void report_failure(const Error& /*error*/) noexcept override {}
  [[noreturn]] void abort(int code) noexcept override { std::_Exit(code); }

 private:
  Host host_;
  std::shared_ptr<OwnPost> post_ = std::make_shared<OwnPost>();
};

}  // namespace

std::unique_ptr<Communicator> one_process() { return std::make_unique<OneProcess>(); }

}  // namespace quoin
