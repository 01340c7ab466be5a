#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "quoin/buffer.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/error.hpp"
#include "quoin/run.hpp"
#include "run/device_cache.hpp"
#include "run/multiply_add.hpp"
#include "run/rates_memory.hpp"
#include "run/tuned.hpp"

namespace quoin {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr double mebibyte = 1024.0 * 1024.0;
constexpr int arrays_measured = 3;

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

/// One kernel over arrays of `count` elements: the best of some launches, in bytes or operations a second.
double best_rate(Executor& executor, const KernelSpec& spec, std::int64_t count, std::span<const Argument> arguments,
                 double Cost::*what = &Cost::bytes) {
  const Box box = Box::line(count);
  const auto kernel = executor.kernel(spec);
  const auto queue = executor.queue();
  const auto before = executor.event();
  const auto after = executor.event();
  kernel->launch(*queue, box, arguments);
  constexpr int most = 10;
  constexpr double enough_seconds = 0.1;
  double best = 0.0;
  double all = 0.0;
  for (int k = 0; k < most && all < enough_seconds; ++k) {
    queue->record(*before);
    kernel->launch(*queue, box, arguments);
    queue->record(*after);
    queue->synchronize();
    const double seconds = after->seconds_since(*before);
    if (seconds <= 0.0) continue;
    all += seconds;
    best = std::max(best, kernel->cost(box).*what / seconds);
  }
  return best;
}

bool has_cores(const Executor& executor) { return executor.device().kind == DeviceKind::cpu; }

/// Of multiply-adds on a device, in flop/s: of ever more points, until a launch takes long enough to tell. 0 where it
/// does not have the kernel.
double multiply_add_rate_on(Executor& executor, Precision precision, const Argument& x, const Argument& y,
                            std::int64_t most) {
  const KernelSpec spec{"stream_multiply_add", precision, {}};
  if (!executor.supports(spec)) return 0.0;
  constexpr double long_enough = 2e-3;
  double best = 0.0;
  double seconds = 0.0;
  for (std::int64_t count = 1 << 16; count <= most && seconds < long_enough; count *= 4) {
    const std::array arguments{x, y, Argument::real(0.999), Argument::real(1e-3)};
    const double rate = best_rate(executor, spec, count, arguments, &Cost::flops);
    if (!(rate > 0.0)) break;
    best = std::max(best, rate);
    seconds = catalogue_cost(spec, Box::line(count)).flops / rate;
  }
  return best;
}

/// The rates that are kept, where all are there.
std::optional<StreamRates> kept_rates(const DeviceCache& cache) {
  const Json json = cache.read(std::chrono::hours(24));
  const auto rate = [&](const char* name) {
    const Json value = json.is_object() ? json.value(name, Json()) : Json();
    return value.is_number() ? value.get<double>() : 0.0;
  };
  const StreamRates rates{rate("copy"), rate("triad"), rate("multiply_add"), rate("multiply_add_float")};
  const auto lacks = [&](const char* name) { return json.is_object() && json.contains(name) && json[name].is_null(); };
  const bool whole = rates.copy > 0.0 && rates.triad > 0.0 && (rates.multiply_add > 0.0 || lacks("multiply_add")) &&
                     (rates.multiply_add_float > 0.0 || lacks("multiply_add_float"));
  return whole ? std::optional(rates) : std::nullopt;
}

/// What a device lacks is kept, too.
Json rate_or_null(double rate) { return rate > 0.0 ? Json(rate) : Json(); }

/// The best of some rounds, for other work on the machine only ever slows one down.
double best_multiply_add_rate(unsigned cores, Precision precision) {
  double best = 0.0;
  for (int k = 0; k < 3; ++k) best = std::max(best, multiply_add_rate(cores, precision));
  return best;
}

/// Measured now, on arrays well beyond the caches: the best of some launches of each kernel.
StreamRates measure(const std::shared_ptr<Executor>& executor) {
  const bool wide = executor->supports({"stream_copy", Precision::float64, {}});
  const Precision precision = wide ? Precision::float64 : Precision::float32;
  const auto count =
      static_cast<std::int64_t>(array_bytes(executor->device())) / static_cast<std::int64_t>(element_size(precision));
  const auto bytes = static_cast<std::size_t>(count) * element_size(precision);
  std::array<Buffer<std::byte>, arrays_measured> arrays;
  std::array<Argument, 3> as_argument{Argument::absent(), Argument::absent(), Argument::absent()};
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    arrays[k] = Buffer<std::byte>(executor, bytes);
    as_argument[k] = Argument::buffer(arrays[k].memory());
  }
  const auto& [x, y, z] = as_argument;
  const auto rate = [&](const char* name, const std::vector<Argument>& arguments) {
    return best_rate(*executor, {name, precision, {}}, count, arguments);
  };
  {  // Each array is written once before: reading pages that were never written would read one page of zeros.
    const auto queue = executor->queue();
    const auto kernel = executor->kernel({"stream_copy", precision, {}});
    for (const auto& [from, to] : {std::pair(z, x), std::pair(x, y), std::pair(y, z)})
      kernel->launch(*queue, Box::line(count), std::array{from, to});
    queue->synchronize();
  }
  const double copy = rate("stream_copy", {x, z});
  StreamRates rates{.copy = copy, .triad = rate("stream_triad", {x, y, z, Argument::real(0.5)})};
  if (!has_cores(*executor)) {
    rates.multiply_add = multiply_add_rate_on(*executor, Precision::float64, x, z, count);
    rates.multiply_add_float = multiply_add_rate_on(*executor, Precision::float32, x, z, count);
  }
  return rates;
}

}  // namespace

std::string rates_options(const Case& the_case, const Candidate& plugin) {
  std::string options = "run.threads=" + std::to_string(the_case.integer("run.threads"));
  for (const BackendChoice& choice : the_case.backends()) options += fixed_options(plugin, choice);
  return options;
}

StreamRates stream_rates(const Case& the_case, const std::shared_ptr<Executor>& executor, const Candidate& plugin) {
  const auto threads = static_cast<unsigned>(the_case.integer("run.threads"));
  const unsigned units = std::max(executor->device().units, 1U);
  const unsigned cores = threads == 0 ? units : std::min(threads, units);
  return stream_rates(executor, plugin.file, rates_options(the_case, plugin), cores);
}

double rates_memory(const DeviceInfo& device, const fs::path& plugin, const std::string& options) {
  return kept_rates(DeviceCache("rates", plugin, device, options)) ? 0.0 : arrays_measured * array_bytes(device);
}

StreamRates stream_rates(const std::shared_ptr<Executor>& executor, const fs::path& plugin, const std::string& options,
                         unsigned cores) {
  const DeviceCache cache("rates", plugin, executor->device(), options);
  if (const auto known = kept_rates(cache)) return *known;
  StreamRates rates = measure(executor);
  if (has_cores(*executor)) {
    rates.multiply_add = best_multiply_add_rate(cores, Precision::float64);
    rates.multiply_add_float = best_multiply_add_rate(cores, Precision::float32);
  }
  cache.write({{"copy", rates.copy},
               {"triad", rates.triad},
               {"multiply_add", rate_or_null(rates.multiply_add)},
               {"multiply_add_float", rate_or_null(rates.multiply_add_float)}});
  return rates;
}

}  // namespace quoin
