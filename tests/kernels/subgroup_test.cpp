// Kernel text written over lanes, in the lockstep emulation at the widths of warps and wavefronts.

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "kernels/collectives.hpp"
#include "kernels/dialect/lockstep.hpp"
#include "kernels/lanes.hpp"

namespace quoin::kernels {
namespace {

template <int Value>
using Number = std::integral_constant<int, Value>;

template <int Size, int Width>
void check_collectives() {
  std::vector<test::Collected> got(2 * Width);
  run_in_lockstep<Size, Width>(2 * Width, [&](int thread, const auto& lanes, const auto&) {
    got[static_cast<std::size_t>(thread)] = test::collect(lanes);
  });
  for (int thread = 0; thread < 2 * Width; ++thread) {
    EXPECT_EQ(got[static_cast<std::size_t>(thread)], test::expected(thread % Size, Size))
        << "lane " << thread << " of subgroups of " << Size << " at width " << Width;
  }
  if constexpr (Size < Width) check_collectives<2 * Size, Width>();
}

template <class Width>
class Lockstep : public testing::Test {};
using Widths = testing::Types<Number<32>, Number<64>>;
TYPED_TEST_SUITE(Lockstep, Widths);

TYPED_TEST(Lockstep, CollectivesOfEverySize) { check_collectives<2, TypeParam::value>(); }

TYPED_TEST(Lockstep, NamesACollectiveThatReadsFromALaneThatReturned) {
  constexpr int width = TypeParam::value;
  const auto half_leaves = [](int thread, const auto& lanes, const auto&) {
    if (thread % 8 < 4) lanes.shuffle_down(thread, 4);
  };
  EXPECT_THROW((run_in_lockstep<8, width>(width, half_leaves)), std::logic_error);
}

/// Values of many magnitudes, so that another order of summation gives other bits.
template <class T>
std::vector<T> values(std::size_t count) {
  std::mt19937_64 random(42);
  std::uniform_real_distribution<double> exponent(-12, 4);
  std::vector<T> list(count);
  for (T& value : list) value = static_cast<T>(std::pow(10.0, exponent(random)));
  return list;
}

template <class T>
struct StoredPoint {
  View<const T> field;
  template <class real>
  real at(qn_index i, qn_index j) const {
    return *field.at(i, j);
  }
};

/// The definition: 8 accumulators of column pairs, row by row, then across.
template <class T>
T block_by_definition(const Range& range, qn_index column, qn_index row, const StoredPoint<T>& point) {
  T pairs[block_columns / 2] = {};
  for (qn_index j = row * block_rows; j < std::min((row + 1) * block_rows, range.j1 - range.j0); ++j) {
    for (qn_index pair = 0; pair < block_columns / 2; ++pair) {
      const qn_index i = column * block_columns + 2 * pair;
      const auto value = [&](qn_index at) {
        return at < range.i1 - range.i0 ? point.template at<T>(range.i0 + at, range.j0 + j) : T(0);
      };
      pairs[pair] += value(i) + value(i + 1);
    }
  }
  return Bodies<T, T>::tree_across(pairs);
}

template <class T, int Width>
void check_blocks(qn_index nx, qn_index ny) {
  const Range range{1, 1 + nx, 2, 2 + ny};
  const std::vector<T> field = values<T>(static_cast<std::size_t>((nx + 1) * (ny + 2)));
  const StoredPoint<T> point{{field.data(), nx + 1}};
  const qn_index across = blocks_across(range);
  const qn_index blocks = across * blocks_down(range);
  std::vector<T> partials(static_cast<std::size_t>(blocks), T(-1));
  const int threads = static_cast<int>((blocks * block_lanes + Width - 1) / Width) * Width;
  run_in_lockstep<block_lanes, Width>(threads, [&](int thread, const auto& lanes, const auto&) {
    const qn_index block = thread / block_lanes;
    if (block < blocks) sum_block(lanes, block, range, View<T>{partials.data(), across}, point);
  });
  for (qn_index block = 0; block < blocks; ++block) {
    EXPECT_EQ(partials[static_cast<std::size_t>(block)],
              block_by_definition(range, block % across, block / across, point))
        << "block " << block << " of " << nx << " x " << ny;
  }
}

TYPED_TEST(Lockstep, BlocksHaveTheBitsOfTheTree) {
  constexpr int width = TypeParam::value;
  for (const auto& [nx, ny] : {std::pair{1, 1}, {15, 31}, {16, 32}, {17, 33}, {70, 70}, {3, 100}}) {
    check_blocks<double, width>(nx, ny);
    check_blocks<float, width>(nx, ny);
  }
}

template <class T, int Width>
void check_list(qn_index count) {
  constexpr int threads = 128;
  const std::vector<T> list = values<T>(static_cast<std::size_t>(count));
  std::vector<T> parts(threads / Width);
  std::vector<T> sums(threads);
  run_in_lockstep<Width, Width>(threads, [&](int thread, const auto& lanes, const auto& barrier) {
    sums[static_cast<std::size_t>(thread)] =
        sum_list<threads>(lanes, thread / Width, list.data(), count, parts.data(), barrier);
  });
  EXPECT_THAT(sums, testing::Each((Bodies<T, T>::tree_sum(list.data(), count)))) << count << " values";
}

TYPED_TEST(Lockstep, ListsHaveTheBitsOfTheTree) {
  constexpr int width = TypeParam::value;
  for (const qn_index count : {1, 2, 3, 31, 64, 65, 255, 257, 1000, 1024, 1025, 5000, 16400}) {
    check_list<double, width>(count);
    check_list<float, width>(count);
  }
}

}  // namespace
}  // namespace quoin::kernels
