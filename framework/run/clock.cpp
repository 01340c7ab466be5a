#include "quoin/run.hpp"

namespace quoin {
namespace {

class SystemClock final : public Clock {
 public:
  [[nodiscard]] double seconds() const override {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
};

}  // namespace

const Clock& system_clock() {
  static const SystemClock clock;
  return clock;
}

}  // namespace quoin
