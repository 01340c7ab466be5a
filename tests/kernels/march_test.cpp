// One sweep and the march of several, in the lockstep emulation at the widths of warps and wavefronts, against plain
// loops.

#include "kernels/march.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <utility>

#include "kernels/dialect/lockstep.hpp"
#include "kernels/lanes.hpp"
#include "kernels/loops.hpp"
#include "kernels/sweep.hpp"

namespace quoin::kernels {
namespace {

/// Fields with a ring, all alike but for their values; rows begin where cells do, unless their number of nodes is odd.
template <class T>
struct Grid {
  Grid(qn_index nx, qn_index ny, int seed)
      : lead(nx % 2 == 0 ? 4 : 3), pitch((nx + 8) / 4 * 4), values(static_cast<std::size_t>(pitch * (ny + 2))) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::uniform_real_distribution<double> any(-1, 1);
    for (T& value : values) value = static_cast<T>(any(random));
  }
  View<T> view() { return {values.data() + pitch + lead, pitch}; }
  View<const T> read() { return {values.data() + pitch + lead, pitch}; }
  qn_index lead, pitch;
  std::vector<T> values;
};

/// What run(pass) leaves in the rows [first, last) must be what `count` sweeps of the grid by plain loops leave there.
template <class T, bool RhsArray, class Run>
void check(qn_index nx, qn_index ny, qn_index count, const Run& run, qn_index first, qn_index last) {
  const Range whole{0, nx, 0, ny};
  const Range box{0, nx, first, last};
  Grid<T> u(nx, ny, 1);
  Grid<T> f(nx, ny, 2);
  Grid<T> marched(nx, ny, 3);
  std::vector<T> weights;
  for (qn_index s = 0; s < count; ++s) weights.push_back(static_cast<T>(0.2 - 0.01 * static_cast<double>(s)));
  const qn_index across = blocks_across(box);
  const auto sums = static_cast<std::size_t>(across * blocks_down(box) * count);
  const auto all_sums = static_cast<std::size_t>(across * blocks_down(whole));
  std::vector<T> partials(sums, T(-1));
  std::vector<T> expected_partials(sums, T(-2));
  const SweepPass<T, RhsArray> pass{u.read(),
                                    f.read(),
                                    marched.view(),
                                    {partials.data(), across},
                                    weights.data(),
                                    T(1.1),
                                    T(0.7),
                                    T(3.6),
                                    T(0.3),
                                    count,
                                    box,
                                    std::min(count - 1, first),
                                    std::min(count - 1, ny - last)};
  run(pass);

  Grid<T> swept = u;
  for (qn_index s = 0; s < count; ++s) {
    Grid<T> next = swept;
    SweepPass<T, RhsArray> one = pass;
    one.u = swept.read();
    one.u_new = next.view();
    one.weights += s;
    std::vector<T> of_grid(all_sums);
    Loops{}.map_blocks(whole, View<T>{of_grid.data(), across}, nullptr, SweepPoint<T, RhsArray>{one});
    std::copy_n(of_grid.begin() + first / block_rows * across, pass.plane(),
                expected_partials.begin() + s * pass.plane());
    swept = std::move(next);
  }
  for (qn_index j = first; j < last; ++j) {
    for (qn_index i = 0; i < nx; ++i)
      ASSERT_EQ(*marched.view().at(i, j), *swept.view().at(i, j)) << "node (" << i << ", " << j << ")";
  }
  EXPECT_EQ(partials, expected_partials);
}
template <class T, bool RhsArray, class Run>
void check(qn_index nx, qn_index ny, qn_index count, const Run& run) {
  check<T, RhsArray>(nx, ny, count, run, 0, ny);
}

template <class T, bool RhsArray, int Width>
void check_sweep(qn_index nx, qn_index ny) {
  check<T, RhsArray>(nx, ny, 1, [](const SweepPass<T, RhsArray>& pass) {
    for (qn_index k = 0; k < SweepGrid<T>(pass.box, Width).subgroups; ++k) {
      run_in_lockstep<Width, Width>(Width, [&](int /*thread*/, const auto& lanes, const auto&) {
        Sweep<T, RhsArray, LockstepLanes<Width, Width>>(pass, lanes, k).run();
      });
    }
  });
}

template <class T, bool RhsArray, int Width, int Depth>
void check_march(qn_index nx, qn_index ny, qn_index count, qn_index room, qn_index first, qn_index last) {
  const auto march = [room](const SweepPass<T, RhsArray>& pass) {
    using Shape = MarchShape<Depth, 1, true>;
    const auto grid = MarchGrid::over<T>(pass.box, Width, room, 100);
    for (qn_index k = 0; k < grid.columns() * grid.segments; ++k) {
      run_in_lockstep<Width, Width>(Width, [&](int thread, const auto& lanes, const auto&) {
        const auto piece = grid.template piece<T>(k % grid.columns(), k / grid.columns(), Width);
        const Segment<T, RhsArray> segment(pass, piece.column, piece.row, thread);
        LoadedRows<T, RhsArray> rows(segment);
        March<T, RhsArray, Shape, LockstepLanes<Width, Width>, LoadedRows<T, RhsArray>>(segment, lanes, rows)
            .run(piece.height());
      });
    }
  };
  check<T, RhsArray>(nx, ny, count, march, first, last);
}
template <class T, bool RhsArray, int Width, int Depth>
void check_march(qn_index nx, qn_index ny, qn_index count, qn_index room) {
  check_march<T, RhsArray, Width, Depth>(nx, ny, count, room, 0, ny);
}

template <class Width>
class Marches : public testing::Test {};
using Widths = testing::Types<std::integral_constant<int, 32>, std::integral_constant<int, 64>>;
TYPED_TEST_SUITE(Marches, Widths);

TYPED_TEST(Marches, HaveTheBitsOfSweepAfterSweep) {
  constexpr int width = TypeParam::value;
  check_march<double, true, width, 8>(120, 33, 8, 1);
  check_march<double, false, width, 4>(17, 40, 3, 2);
  check_march<float, true, width, 2>(1, 20, 2, 1);
  check_march<float, false, width, 2>(113, 10, 1, 1);
}

TYPED_TEST(Marches, OfAStripHaveTheBitsOfTheWholeGrid) {
  constexpr int width = TypeParam::value;
  check_march<double, true, width, 8>(120, 130, 8, 2, 32, 96);
  check_march<double, false, width, 8>(17, 100, 7, 1, 0, 64);
  check_march<float, true, width, 4>(40, 69, 4, 1, 64, 69);
  check_march<float, false, width, 2>(33, 33, 2, 1, 0, 32);
}

TYPED_TEST(Marches, ASweepAloneHasTheBitsOfTheLoop) {
  constexpr int width = TypeParam::value;
  check_sweep<double, true, width>(4 * width, 43);  // whole strips, and rows that are left over
  check_sweep<double, false, width>(2 * width + 1, 32);
  check_sweep<double, true, width>(1, 1);
  check_sweep<float, true, width>(4 * width + 18, 9);
  check_sweep<float, false, width>(4 * width - 1, 40);
}

}  // namespace
}  // namespace quoin::kernels
