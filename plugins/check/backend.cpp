// A backend for developers, on the host's processor: slow, and it misses nothing. It finds missing waits
// and events, use of memory that nobody set, writes where they do not belong, arguments that do not
// fit the catalogue, and kernels that depend on the order of their points.

#include <string>

#include "executor.hpp"
#include "quoin/error.hpp"
#include "quoin/host_memory.hpp"
#include "quoin/plugin.hpp"
#include "skeleton.hpp"

namespace {

using quoin::check::Order;

std::string option(const quoin::Options& options, const char* key, const char* fallback) {
  const auto found = options.find(key);
  return found == options.end() ? fallback : found->second;
}

[[noreturn]] void refuse(const std::string& key, const std::string& value, const std::string& choices) {
  throw quoin::Error(quoin::ErrorKind::case_file, "'" + value + "' is no value of " + key + ": " + choices,
                     "backend " + key);
}

Order order_of(const std::string& text) {
  if (text == "forward") return Order::forward;
  if (text == "reversed") return Order::reversed;
  if (text == "shuffled") return Order::shuffled;
  refuse("order", text, "forward, reversed or shuffled");
}

bool flag_of(const std::string& text) {
  if (text == "true") return true;
  if (text == "false") return false;
  refuse("deferred", text, "true or false");
}

class CheckBackend : public quoin::Backend {
 public:
  std::vector<quoin::DeviceInfo> devices() override { return {quoin::host_device("checked loops")}; }

  std::unique_ptr<quoin::Executor> executor(int device, const quoin::Options& options) override {
    const Order order = order_of(option(options, "order", "shuffled"));
    const bool deferred = flag_of(option(options, "deferred", "true"));
    const auto run = [order, launches = std::make_shared<std::uint64_t>(0)](const quoin::Variant& variant,
                                                                            const quoin::kernels::Range& range,
                                                                            const quoin::kernels::Resolved* arguments) {
      const quoin::check::OrderedSkeleton skeleton{order, ++*launches};
      quoin::kernels::launch_any(skeleton, variant, range, arguments);
    };
    return std::make_unique<quoin::check::CheckedExecutor>(devices().at(static_cast<std::size_t>(device)), run,
                                                           deferred);
  }
};

}  // namespace

QUOIN_BACKEND(CheckBackend, "check", "1.0.0",
              R"([{"key":"order","type":"choice","choices":["forward","reversed","shuffled"],"default":"shuffled",)"
              R"("meaning":"the order in which kernels visit their points"},)"
              R"({"key":"deferred","type":"boolean","default":"true",)"
              R"("meaning":"whether queues work only when somebody waits, as an asynchronous device may"}])")
