#include <unistd.h>

#include <algorithm>
#include <array>

#include "quoin/buffer.hpp"
#include "quoin/error.hpp"
#include "quoin/run.hpp"

namespace quoin {
namespace {

constexpr double mebibyte = 1024.0 * 1024.0;

/// Bytes of one array: well beyond the caches, and a small part of the device's memory.
double array_bytes(const DeviceInfo& device) {
  double bytes = 64 * mebibyte;
  if (device.kind == DeviceKind::cpu) {
    const auto last_cache =
        static_cast<double>(std::max(sysconf(_SC_LEVEL3_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE)));
    bytes = std::clamp(4.0 * last_cache, bytes, 256 * mebibyte);  // more would take too long
  }
  if (device.memory_bytes > 0) bytes = std::min(bytes, static_cast<double>(device.memory_bytes) / 8.0);
  return bytes;
}

}  // namespace

double copy_bandwidth(const std::shared_ptr<Executor>& executor) {
  const KernelSpec wide{"stream_copy", Precision::float64, {}};
  const KernelSpec spec = executor->supports(wide) ? wide : KernelSpec{"stream_copy", Precision::float32, {}};
  const auto count = static_cast<std::int64_t>(array_bytes(executor->device())) /
                     static_cast<std::int64_t>(element_size(spec.precision));
  const auto bytes = static_cast<std::size_t>(count) * element_size(spec.precision);
  const Box box = Box::line(count);
  const auto kernel = executor->kernel(spec);
  const auto queue = executor->queue();
  const auto before = executor->event();
  const auto after = executor->event();
  Buffer<std::byte> x(executor, bytes);
  Buffer<std::byte> y(executor, bytes);
  const std::array there{Argument::buffer(x.memory()), Argument::buffer(y.memory())};
  const std::array back{Argument::buffer(y.memory()), Argument::buffer(x.memory())};

  // Both are written once before: reading pages that were never written would read one page of zeros.
  kernel->launch(*queue, box, there);
  kernel->launch(*queue, box, back);
  constexpr int most = 10;
  constexpr double enough_seconds = 0.1;
  double best = 0.0;
  double all = 0.0;
  for (int k = 0; k < most && all < enough_seconds; ++k) {
    queue->record(*before);
    kernel->launch(*queue, box, there);
    queue->record(*after);
    queue->synchronize();
    const double seconds = after->seconds_since(*before);
    if (seconds <= 0.0) continue;
    all += seconds;
    best = std::max(best, 2.0 * static_cast<double>(bytes) / seconds);
  }
  return best;
}

}  // namespace quoin
