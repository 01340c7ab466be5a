#include "problems/jacobi/scheme/coarsening.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "quoin/case.hpp"

namespace quoin {
namespace {

std::vector<Level> levels_of(const std::string& nodes, const std::string& height = "1") {
  return multigrid_levels(Grid(Case::parse("problem: {type: jacobi, grid: {nodes: " + nodes +
                                               "}, domain: {x: [0, 1], y: [0, " + height + "]}}\nbackend: serial\n",
                                           "case.yaml", {}, KeyTable::standard())));
}

using Sizes = std::vector<std::pair<std::int64_t, std::int64_t>>;

Sizes sizes_of(const std::vector<Level>& levels) {
  Sizes sizes;
  for (const Level& level : levels) sizes.emplace_back(level.nx, level.ny);
  return sizes;
}

TEST(Multigrid, HalvesToAnEvenNumberOfIntervals) {
  EXPECT_EQ(sizes_of(levels_of("[31, 31]")), (Sizes{{31, 31}, {15, 15}, {7, 7}}));
  EXPECT_EQ(sizes_of(levels_of("[32, 32]")), (Sizes{{32, 32}, {15, 15}, {7, 7}}));  // 33: 16, not 17
  EXPECT_EQ(sizes_of(levels_of("[30, 30]")), (Sizes{{30, 30}, {15, 15}, {7, 7}}));  // 31: 16, not 15
  EXPECT_EQ(levels_of("[4096, 4096]").size(), 10U);
}

TEST(Multigrid, HalvesOnlyTheDirectionWithTheSmallerSpacing) {
  EXPECT_EQ(sizes_of(levels_of("[63, 15]")), (Sizes{{63, 15}, {31, 15}, {15, 15}, {7, 7}}));
  EXPECT_EQ(sizes_of(levels_of("[15, 63]")), (Sizes{{15, 63}, {15, 31}, {15, 15}, {7, 7}}));
  EXPECT_EQ(sizes_of(levels_of("[31, 31]", "1.4")), (Sizes{{31, 31}, {15, 15}, {7, 7}}));
  EXPECT_EQ(sizes_of(levels_of("[1, 1]")), (Sizes{{1, 1}}));
}

TEST(Interpolation, KeepsWhatIsLinear) {
  for (const auto& [n, m] :
       Sizes{{1, 1}, {2, 1}, {3, 1}, {4, 1}, {6, 3}, {8, 3}, {31, 15}, {32, 15}, {34, 17}, {7, 7}}) {
    const Interpolation i(n, m);
    const auto at = [ratio = static_cast<double>(m + 1) / static_cast<double>(n + 1)](std::int64_t node) {
      return ratio * static_cast<double>(node + 1) - 1.0;
    };
    for (std::int64_t k = 0; k < n; ++k) {
      const auto at_k = static_cast<std::size_t>(k);
      EXPECT_GE(i.below[at_k], -1);
      EXPECT_LT(i.below[at_k], m);
      EXPECT_NEAR(static_cast<double>(i.below[at_k]) + i.share[at_k], at(k), 1e-12);
    }
  }
}

TEST(Interpolation, ItsWayDownIsTheTranspose) {
  for (const auto& [n, m] :
       Sizes{{1, 1}, {2, 1}, {3, 1}, {4, 1}, {6, 3}, {8, 3}, {31, 15}, {32, 15}, {34, 17}, {7, 7}}) {
    const Interpolation i(n, m);
    std::vector<std::vector<double>> up(static_cast<std::size_t>(n), std::vector<double>(static_cast<std::size_t>(m)));
    auto down = up;
    for (std::size_t k = 0; k < up.size(); ++k) {
      if (i.below[k] >= 0) up[k][static_cast<std::size_t>(i.below[k])] = 1.0 - i.share[k];
      if (i.below[k] + 1 < m) up[k][static_cast<std::size_t>(i.below[k] + 1)] += i.share[k];
    }
    for (std::size_t k = 0; k < static_cast<std::size_t>(m); ++k) {
      for (std::size_t s = 0; s < static_cast<std::size_t>(i.count); ++s) {
        const std::size_t node = static_cast<std::size_t>(i.first[k]) + s;
        ASSERT_LT(node, static_cast<std::size_t>(n));
        down[node][k] += i.weights[s * static_cast<std::size_t>(m) + k];
      }
    }
    const double ratio = static_cast<double>(m + 1) / static_cast<double>(n + 1);
    for (std::size_t row = 0; row < up.size(); ++row)
      for (std::size_t k = 0; k < up[row].size(); ++k) EXPECT_NEAR(down[row][k], ratio * up[row][k], 1e-12);
  }
}

TEST(Stencil, ItsSpectrumIsThatOfTheSineWaves) {
  const Stencil stencil(0.125, 0.25);
  const auto [least, most] = stencil.spectrum(7, 3);
  const auto wave = [](double factor, double angle) { return 2.0 * factor * (1.0 - std::cos(angle)); };
  EXPECT_NEAR(least, wave(64, std::numbers::pi / 8) + wave(16, std::numbers::pi / 4), 1e-11);
  EXPECT_NEAR(most, wave(64, 7 * std::numbers::pi / 8) + wave(16, 3 * std::numbers::pi / 4), 1e-11);
}

TEST(Chebyshev, NoWaveKeepsMoreThanTheReduction) {
  const Spectrum spectrum{0.5, 30.0};
  for (const std::int64_t sweeps : {1, 2, 16, 64}) {
    const std::vector<double> weights = chebyshev_weights(spectrum, sweeps);
    ASSERT_EQ(weights.size(), static_cast<std::size_t>(sweeps));
    double most = 0.0;
    for (int k = 0; k <= 10000; ++k) {
      double left = 1.0;
      for (const double weight : weights) left *= 1.0 - weight * (0.5 + 29.5 * k / 10000.0);
      most = std::max(most, std::fabs(left));
    }
    EXPECT_NEAR(most, chebyshev_reduction(spectrum, sweeps), 1e-6 * most) << sweeps;
  }
}

}  // namespace
}  // namespace quoin
