#pragma once

// What the plugin decides without the OpenMP runtime: the order of devices, and what the environment asks for.

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "quoin/error.hpp"

namespace quoin::openmp {

/// Kinds of devices in the order in which they are offered: who names none gets the first. Offload to the host's own
/// processor is for those who name it, as is a device whose target regions would run on the host.
enum class Place : int { gpu, host_threads, host_offload, nowhere };

/// `place`: of a device. Those of a kind stay as the runtime numbers them.
template <class Device>
void arrange(std::vector<Device>& devices, Place Device::*place) {
  std::stable_sort(devices.begin(), devices.end(),
                   [place](const Device& a, const Device& b) { return a.*place < b.*place; });
}

/// Whether what a case says of the device can mean the host's threads alone, of that name: they are named, or no device
/// is and there is none before them.
inline bool means_host_threads(std::string_view wanted, std::string_view name, bool (*gpu_driver_found)()) {
  if (wanted == "0") return !gpu_driver_found();
  return wanted.starts_with("host") && name.starts_with(wanted);
}

inline constexpr int max_threads = 4096;

/// The threads that OMP_NUM_THREADS asks for: `8`, or the first of `8,2`, whose others are for teams inside teams; 0
/// where it is not set (nullptr). Throws ErrorKind::usage where it is no such list: the runtime would warn, or abort.
inline int threads_of_environment(const char* value) {
  if (value == nullptr) return 0;
  int first = 0;
  std::string_view rest = value;
  const auto skip_blanks = [&rest] { rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size())); };
  for (;;) {
    skip_blanks();
    int number = 0;
    const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (code != std::errc() || number < 1 || number > max_threads) break;
    if (first == 0) first = number;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    skip_blanks();
    if (rest.empty()) return first;
    if (rest.front() != ',') break;
    rest.remove_prefix(1);
  }
  throw Error(ErrorKind::usage, "the environment variable OMP_NUM_THREADS is '" + std::string(value) +
                                    "'; it must be a number of threads from 1 to " + std::to_string(max_threads) +
                                    ", or be unset");
}

}  // namespace quoin::openmp
