#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace quoin {

/// The places [first, last) of a list.
struct NumberRun {
  std::size_t first, last;
};

/// Ascending numbers cut where one lies more than `gap` behind the one before it.
inline std::vector<NumberRun> runs_of(std::span<const std::int64_t> numbers, std::int64_t gap) {
  std::vector<NumberRun> runs;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (k == 0 || numbers[k] - numbers[k - 1] > gap) runs.push_back({k, k});
    runs.back().last = k + 1;
  }
  return runs;
}

}  // namespace quoin
