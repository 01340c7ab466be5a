#pragma once

// Every collective of the subgroup dialect once: kernel text that runs on a device and in the lockstep emulation, and
// what each lane must get.

#include <array>
#include <cstdint>

#include "kernels/dialect/cpp.hpp"

namespace quoin::test {

/// What one lane got.
struct Collected {
  double shuffled[4];
  float shuffled_float[4];
  std::int64_t shuffled_integer[4];
  std::uint64_t ballot;
  std::int32_t votes[4];
  bool operator==(const Collected&) const = default;
};

template <class T>
QN_CALL T brought_by(int lane) {
  return static_cast<T>(1000 + 7 * lane);
}

template <class Lanes, class T>
QN_CALL void shuffle_all(const Lanes& lanes, T (&out)[4]) {
  const T own = brought_by<T>(lanes.lane());
  out[0] = lanes.shuffle(own, (3 * lanes.lane() + 1) % Lanes::size);
  out[1] = lanes.shuffle_up(own, 1);
  out[2] = lanes.shuffle_down(own, Lanes::size / 2);
  out[3] = lanes.shuffle_xor(own, Lanes::size - 1);
}

template <class Lanes>
QN_CALL Collected collect(const Lanes& lanes) {
  Collected out;
  const int lane = lanes.lane();
  shuffle_all(lanes, out.shuffled);
  shuffle_all(lanes, out.shuffled_float);
  shuffle_all(lanes, out.shuffled_integer);
  out.ballot = lanes.ballot(lane % 3 == 0);
  out.votes[0] = lanes.any(lane == Lanes::size - 1) ? 1 : 0;
  out.votes[1] = lanes.any(lane < 0) ? 1 : 0;
  out.votes[2] = lanes.all(lane >= 0) ? 1 : 0;
  out.votes[3] = lanes.all(lane != 0) ? 1 : 0;
  return out;
}

inline Collected expected(int lane, int size) {
  const std::array<int, 4> source{(3 * lane + 1) % size, lane >= 1 ? lane - 1 : lane,
                                  lane + size / 2 < size ? lane + size / 2 : lane, lane ^ (size - 1)};
  Collected out{};
  for (std::size_t k = 0; k < 4; ++k) {
    out.shuffled[k] = brought_by<double>(source[k]);
    out.shuffled_float[k] = brought_by<float>(source[k]);
    out.shuffled_integer[k] = brought_by<std::int64_t>(source[k]);
  }
  for (int k = 0; k < size; k += 3) out.ballot |= std::uint64_t{1} << k;
  out.votes[0] = out.votes[2] = 1;
  return out;
}

}  // namespace quoin::test
