// Executors: what they refuse, how they lay out fields, and their kinds of memory.

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <numeric>

#include "conformance/suite.hpp"
#include "quoin/bytes.hpp"
#include "quoin/error.hpp"

namespace quoin::conformance {
namespace {

/// Throws Mismatch unless `body` throws a quoin::Error of a device or a plugin.
template <class Body>
std::string expect_refusal(const std::string& what, Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::device || error.kind() == ErrorKind::plugin) return error.what();
    throw Mismatch(what + " was refused with an error of kind " + std::to_string(error.exit_code()) +
                   " instead of device (7) or plugin (8): " + error.what());
  }
  throw Mismatch(what + " was accepted");
}

void unknown_kernels(DeviceUnderTest& bench, Cases& cases) {
  Executor& executor = *bench.executor;
  for (const Precision precision : executor.device().precisions) {
    for (const char* name : {"no_such_kernel", "", "jacobi"}) {
      cases("kernel '" + std::string(name) + "'", [&] {
        const KernelSpec spec{name, precision, {}};
        if (executor.supports(spec)) throw Mismatch("supports() says yes");
        expect_refusal("kernel()", [&] { executor.kernel(spec); });
      });
    }
  }
}

void layouts(DeviceUnderTest& bench, Cases& cases) {
  constexpr std::int64_t sizes[][2] = {{1, 1}, {7, 3}, {512, 512}, {1021, 64}, {4096, 2}};
  for (const auto& size : sizes) {
    for (const std::int64_t ghost : {0, 1, 3, 8}) {
      for (const std::size_t bytes : {4U, 8U}) {
        // The executor refuses layouts that do not hold the field with its ghosts.
        cases(std::to_string(size[0]) + "x" + std::to_string(size[1]) + ", ghost " + std::to_string(ghost), [&] {
          static_cast<void>(bench.executor->layout({{size[0], size[1], 1}, bytes, ghost}));
        });
      }
    }
  }
}

template <class T>
void triad_in(DeviceUnderTest& bench, MemoryKind kind) {
  Trial trial(bench, {"stream_triad", precision_of<T>, {}});
  const Place place = place_array(5000, Style::odd);
  auto& x = trial.field<T>("x", place, kind);
  auto& y = trial.field<T>("y", place, kind);
  auto& z = trial.field<T>("z", place, kind);
  x.fill(Box::line(5000), 1);
  y.fill(Box::line(5000), 2);
  trial.launch(Box::line(5000), {x.argument(), y.argument(), z.argument(), Argument::real(0.7)});
  for (std::int64_t k = 0; k < 5000; ++k) z[k] = std::fma(static_cast<T>(0.7), y[k], x[k]);
  trial.compare();
}

/// What the host writes is what the device has, and the other way.
void seen_by_the_host(DeviceUnderTest& bench, MemoryKind kind) {
  constexpr std::size_t bytes = 5000;
  const auto memory = bench.executor->allocate(bytes, kind);
  std::byte* const host = memory->on_host();
  if (host == nullptr) return;
  std::vector<std::byte> values = uneven_bytes(bytes);
  std::vector<std::byte> seen(bytes);
  std::copy(values.begin(), values.end(), host);
  bench.queue->copy_out(seen, *memory, 0);
  if (seen != values) throw Mismatch("copy_out gave other bytes than the host had written into the memory");
  std::reverse(values.begin(), values.end());
  bench.queue->copy_in(*memory, 0, values);
  bench.queue->synchronize();
  if (!std::equal(values.begin(), values.end(), host))
    throw Mismatch("the host sees other bytes in the memory than copy_in had put there");
}

/// What the host writes is what a kernel reads, and the other way, each time.
void shared_with_kernels(DeviceUnderTest& bench, MemoryKind kind) {
  constexpr std::int64_t count = 1000;
  const auto x = bench.executor->allocate(count * sizeof(float), kind);
  const auto y = bench.executor->allocate(count * sizeof(float), kind);
  auto* const from = reinterpret_cast<float*>(x->on_host());
  const auto* const to = reinterpret_cast<const float*>(y->on_host());
  if (from == nullptr || to == nullptr) return;
  const auto kernel = bench.executor->kernel({"stream_copy", Precision::float32, {}});
  for (const float start : {1.0F, -7.5F}) {
    std::iota(from, from + count, start);
    kernel->launch(*bench.queue, Box::line(count), std::array{Argument::buffer(*x, 0, 0), Argument::buffer(*y, 0, 0)});
    bench.queue->synchronize();
    if (!std::equal(from, from + count, to))
      throw Mismatch("a kernel has not copied what the host wrote to where the host reads");
  }
}

/// What the host writes into memory that it is lent is what the device has, and the other way, each time.
void lent_to_the_host(DeviceUnderTest& bench, MemoryKind kind) {
  constexpr std::size_t bytes = 9000;
  constexpr std::size_t first = 40;
  const auto memory = bench.executor->allocate(bytes, kind);
  std::vector<std::byte> values = uneven_bytes(bytes);
  std::vector<std::byte> seen(bytes);
  bench.queue->copy_in(*memory, 0, values);
  for (const std::size_t count : {std::size_t{1}, std::size_t{4097}, bytes - first}) {
    std::byte* const host = bench.queue->map(*memory, first, count);
    if (host == nullptr) return;
    const auto expected = values.begin() + first;
    const bool as_copied = std::equal(host, host + count, expected);
    for (std::size_t k = 0; k < count; ++k) host[k] = expected[static_cast<std::ptrdiff_t>(k)] ^= std::byte{0x55};
    bench.queue->unmap(*memory, host);
    if (!as_copied) throw Mismatch("map() gave other bytes than copy_in had put there");
    bench.queue->copy_out(seen, *memory, 0);
    if (seen != values) throw Mismatch("copy_out gave other bytes than the host had written while it had the memory");
  }
}

void memories(DeviceUnderTest& bench, Cases& cases) {
  const DeviceInfo& device = bench.executor->device();
  if (std::find(device.memories.begin(), device.memories.end(), MemoryKind::device) == device.memories.end())
    throw Mismatch("the device does not list memory of kind device, which every backend has");
  for (const MemoryKind kind : device.memories) {
    const std::string name = "memory of kind " + std::string(name_of(kind));
    for (const Precision precision : device.precisions) {
      if (!bench.executor->supports({"stream_triad", precision, {}})) continue;
      cases(name,
            [&] { precision == Precision::float64 ? triad_in<double>(bench, kind) : triad_in<float>(bench, kind); });
    }
    cases(name + ", by the host", [&] { seen_by_the_host(bench, kind); });
    cases(name + ", lent to the host", [&] { lent_to_the_host(bench, kind); });
    if (bench.executor->supports({"stream_copy", Precision::float32, {}}))
      cases(name + ", by the host and kernels", [&] { shared_with_kernels(bench, kind); });
  }
  cases("more memory than there is", [&] {
    constexpr std::size_t bytes = std::size_t{1} << 60U;
    const std::string message =
        expect_refusal("2^60 bytes", [&] { bench.executor->allocate(bytes, MemoryKind::device); });
    const std::string asked = in_bytes(static_cast<double>(bytes));
    if (message.find(asked) == std::string::npos && message.find(std::to_string(bytes)) == std::string::npos)
      throw Mismatch("the refusal does not name the " + asked + " asked for: " + message);
  });
}

void costs(DeviceUnderTest& bench, Cases& cases) {
  const Box box = Box::plane(100, 100);
  for (const CatalogueEntry& entry : catalogue) {
    for (const Precision precision : bench.executor->device().precisions) {
      const KernelSpec spec{std::string(entry.name), precision, {}};
      if (!bench.executor->supports(spec)) continue;
      cases(std::string(entry.name), [&] {
        const Cost cost = bench.executor->kernel(spec)->cost(box);
        if (!(cost.bytes > 0.0 && std::isfinite(cost.bytes))) throw Mismatch("cost gives no bytes");
        if (!(cost.flops >= 0.0 && std::isfinite(cost.flops))) throw Mismatch("cost gives negative or infinite flops");
      });
    }
  }
}

/// What the process holds, in bytes: all that is mapped, or what malloc has given away.
double mapped_bytes() {
  std::ifstream statistics("/proc/self/statm");
  double pages = 0.0;
  statistics >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}
double allocated_bytes() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

/// Throws Mismatch where `body` leaves `bytes` behind each time. What is kept for later use comes to an end.
template <class Body>
void expect_no_growth(const std::string& what, double (*held)(), double bytes, int times, Body&& body) {
  const auto grown = [&] {
    const double before = held();
    for (int k = 0; k < times; ++k) body();
    return held() - before >= bytes * times;
  };
  grown();
  if (grown() && grown()) throw Mismatch(what + " is not given back: the process grows each time");
}

template <class Make>
bool fits(const Make& make) {
  try {
    make();
  } catch (const Error&) {
    return false;
  }
  return true;
}

void leaks(DeviceUnderTest& bench, Cases& cases) {
  Executor& executor = *bench.executor;
  const DeviceInfo& device = executor.device();
  cases("memory that is made and destroyed", [&] {
    constexpr std::uint64_t usual = 16U << 20U;
    constexpr int times = 32;
    const std::uint64_t share = device.memory_bytes / 16;  // more often than it fits into the device
    const bool on_host = device.kind == DeviceKind::cpu || share == 0;
    std::uint64_t bytes = on_host ? usual : share;
    const auto make = [&] { static_cast<void>(executor.allocate(bytes, MemoryKind::device)); };
    while (!fits(make) && bytes > 1) bytes /= 2;  // others may use the device
    expect_no_growth("memory of " + in_bytes(static_cast<double>(bytes)), mapped_bytes, static_cast<double>(bytes) / 2,
                     times, make);
  });
  constexpr double smallest = 8.0;
  constexpr int times = 200;
  const auto look = [&](const std::string& what, const auto& make) {
    cases(what + " that is made and destroyed",
          [&] { expect_no_growth(what, allocated_bytes, smallest, times, [&] { static_cast<void>(make()); }); });
  };
  look("memory of 64 bytes", [&] { return executor.allocate(64, MemoryKind::device); });
  look("a queue", [&] { return executor.queue(); });
  look("an event", [&] { return executor.event(); });
  for (const CatalogueEntry& entry : catalogue) {
    const KernelSpec spec{std::string(entry.name), device.precisions.front(), {}};
    if (device.precisions.empty() || !executor.supports(spec)) continue;
    look("a kernel", [&] { return executor.kernel(spec); });
    break;
  }
}

constexpr InterfaceCheck of_executors[] = {{"unknown kernels", unknown_kernels},
                                           {"layouts", layouts},
                                           {"memory", memories},
                                           {"costs", costs},
                                           {"leaks", leaks}};

}  // namespace

std::span<const InterfaceCheck> executor_checks() { return of_executors; }

}  // namespace quoin::conformance
