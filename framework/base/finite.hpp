#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace quoin {

/// Whether all numbers are. Some are looked at together: of one that is not the difference to itself is not 0.
template <class T>
bool all_finite(std::span<const T> numbers) {
  constexpr std::size_t together = 64 / sizeof(T);
  using Some [[gnu::vector_size(64)]] = T;
  Some differences{};
  std::size_t k = 0;
  for (; k + together <= numbers.size(); k += together) {
    Some some;
    std::memcpy(&some, numbers.data() + k, sizeof some);
    differences += some - some;
  }
  for (; k < numbers.size(); ++k) differences[0] += numbers[k] - numbers[k];
  bool all = true;
  for (std::size_t lane = 0; lane < together; ++lane) all = all && differences[lane] == 0;
  return all;
}

}  // namespace quoin
