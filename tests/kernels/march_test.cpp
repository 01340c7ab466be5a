// The march of several sweeps, in the lockstep emulation at the widths of warps and wavefronts, against plain loops.

#include "kernels/march.hpp"

#include <gmock/gmock.h>

#include <random>
#include <utility>

#include "kernels/dialect/lockstep.hpp"
#include "kernels/lanes.hpp"
#include "kernels/loops.hpp"

namespace quoin::kernels {
namespace {

/// Fields with a ring, all alike but for their values.
template <class T>
struct Grid {
  Grid(qn_index nx, qn_index ny, int seed) : values(static_cast<std::size_t>((nx + 2) * (ny + 2))), pitch(nx + 2) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::uniform_real_distribution<double> any(-1, 1);
    for (T& value : values) value = static_cast<T>(any(random));
  }
  View<T> view() { return {values.data() + pitch + 1, pitch}; }
  View<const T> read() { return {values.data() + pitch + 1, pitch}; }
  std::vector<T> values;
  qn_index pitch;
};

template <class T, bool RhsArray, int Width, int Depth>
void check(qn_index nx, qn_index ny, qn_index count, qn_index room) {
  const Range box{0, nx, 0, ny};
  Grid<T> u(nx, ny, 1);
  Grid<T> f(nx, ny, 2);
  Grid<T> marched(nx, ny, 3);
  std::vector<T> weights;
  for (qn_index s = 0; s < count; ++s) weights.push_back(static_cast<T>(0.2 - 0.01 * static_cast<double>(s)));
  const qn_index across = blocks_across(box);
  const auto sums = static_cast<std::size_t>(across * blocks_down(box) * count);
  std::vector<T> partials(sums, T(-1));
  std::vector<T> expected_partials(sums, T(-2));
  SweepsPoint<T, RhsArray> pass{
      u.read(), f.read(), marched.view(), {partials.data(), across}, weights.data(), T(1.1), T(0.7), T(3.6), T(0.3),
      count,    box};

  using Shape = MarchShape<Depth, 1, true>;
  const auto grid = MarchGrid::over<T>(box, Width, room, 100);
  for (qn_index k = 0; k < grid.bands * grid.segments; ++k) {
    run_in_lockstep<Width, Width>(Width, [&](int thread, const auto& lanes, const auto&) {
      const qn_index first = grid.row_of(k / grid.bands);
      const qn_index column = k % grid.bands * (band_columns<T>(Width) / block_columns);
      const Segment<T, RhsArray> segment(pass, column, first, thread);
      LoadedRows<T, RhsArray> rows(segment);
      March<T, RhsArray, Shape, LockstepLanes<Width, Width>, LoadedRows<T, RhsArray>>(segment, lanes, rows)
          .run(static_cast<int>((grid.row_of(k / grid.bands + 1) - first) * block_rows));
    });
  }

  Grid<T> swept = u;
  for (qn_index s = 0; s < count; ++s) {
    Grid<T> next = swept;
    SweepsPoint<T, RhsArray> one = pass;
    one.u = swept.read();
    one.u_new = next.view();
    one.weights += s;
    const View<T> to{expected_partials.data() + s * pass.plane(), across};
    Loops{}.map_blocks(box, to, nullptr, SweepPoint<T, RhsArray>{one});
    swept = std::move(next);
  }
  for (qn_index j = 0; j < ny; ++j) {
    for (qn_index i = 0; i < nx; ++i)
      ASSERT_EQ(*marched.view().at(i, j), *swept.view().at(i, j)) << "node (" << i << ", " << j << ")";
  }
  EXPECT_EQ(partials, expected_partials);
}

template <class Width>
class Marches : public testing::Test {};
using Widths = testing::Types<std::integral_constant<int, 32>, std::integral_constant<int, 64>>;
TYPED_TEST_SUITE(Marches, Widths);

TYPED_TEST(Marches, HaveTheBitsOfSweepAfterSweep) {
  constexpr int width = TypeParam::value;
  check<double, true, width, 8>(120, 33, 8, 1);
  check<double, false, width, 4>(17, 40, 3, 2);
  check<float, true, width, 2>(1, 20, 2, 1);
  check<float, false, width, 1>(113, 10, 1, 1);
}

}  // namespace
}  // namespace quoin::kernels
