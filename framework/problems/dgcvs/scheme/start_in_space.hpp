#pragma once

#include <optional>
#include <span>
#include <vector>

#include "problems/dgcvs/scheme/level.hpp"
#include "problems/dgcvs/setup/prospect.hpp"

namespace quoin {

/// Sets what the cells are in space at time 0, before the time steps are known: the L2 projection of the initial state,
/// coefficient [(variable * basis + n) * stride + lane] where n has no power of time; the others are to be 0. Where
/// `kept` is given, coefficients in the lanes of all cells, its polynomials take the place of that. Returns what is
/// largest of the states at the Gauss points and corners of the sub-quads. Throws ErrorKind::case_file naming a point
/// where a state cannot be.
Largest start_in_space(const DgSetup& setup, const LevelArrays& cells, const std::vector<double>& kept,
                       std::span<double> coefficients);

/// What the formulas give before the first step.
struct FirstLook {
  std::optional<LevelArrays> arrays{};  ///< of all cells; not where they start from the fields of another run
  std::vector<double> cells{};          ///< start_in_space() of these
  Largest in_cells{};
  Largest outside{};

  [[nodiscard]] Prospect prospect(const DgSetup& setup) const;
};

/// By this process alone. Throws as start_in_space().
FirstLook look_first(const DgSetup& setup);

}  // namespace quoin
