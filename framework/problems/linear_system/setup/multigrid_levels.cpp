#include "problems/linear_system/setup/multigrid_levels.hpp"

#include <algorithm>
#include <cmath>

#include "problems/linear_system/setup/block_inverses.hpp"
#include "problems/linear_system/setup/sparse_products.hpp"

namespace quoin {
namespace {

/// The smoother is for the eigenvalues down to the largest over this.
constexpr double smoothed_part = 6.0;
/// Fewer rows that a level has than this part of the next finer one are not worth it.
constexpr double least_coarsening = 0.8;

std::vector<double> diagonal_of(const SparseMatrix& a) {
  std::vector<double> d(static_cast<std::size_t>(a.rows));
  for (std::int64_t row = 0; row < a.rows; ++row) d[static_cast<std::size_t>(row)] = diagonal(a, row);
  return d;
}

/// The strong entries beside the diagonal.
SparseMatrix strong_part(const SparseMatrix& a, const std::vector<double>& d, double strength) {
  SparseMatrix strong = matrix_with_room(a.rows, a.columns, a.entries());
  for (std::size_t row = 0; row < d.size(); ++row) {
    for (auto k = static_cast<std::size_t>(a.at[row]); k < static_cast<std::size_t>(a.at[row + 1]); ++k) {
      const auto column = static_cast<std::size_t>(a.column[k]);
      if (column == row || a.value[k] * a.value[k] <= strength * strength * std::abs(d[row] * d[column])) continue;
      strong.column.push_back(a.column[k]);
      strong.value.push_back(a.value[k]);
    }
    strong.at.push_back(static_cast<std::int64_t>(strong.column.size()));
  }
  return strong;
}

/// Gershgorin's bound of the eigenvalues of D^-1 (D + beside).
double largest_eigenvalue(const SparseMatrix& beside, const std::vector<double>& d) {
  double most = 1.0;
  for (std::size_t row = 0; row < d.size(); ++row) {
    double sum = 0.0;
    for (auto k = static_cast<std::size_t>(beside.at[row]); k < static_cast<std::size_t>(beside.at[row + 1]); ++k)
      if (beside.column[k] != static_cast<std::int64_t>(row)) sum += std::abs(beside.value[k]);
    most = std::max(most, 1.0 + sum / std::abs(d[row]));
  }
  return most;
}

/// The diagonal to which what is weak in a row has been added, so that constants stay what they are to the matrix.
std::vector<double> lumped_diagonal(const SparseMatrix& a, const SparseMatrix& strong, const std::vector<double>& d) {
  std::vector<double> lumped(d.size());
  for (std::size_t row = 0; row < d.size(); ++row) {
    double sum = 0.0;
    for (auto k = static_cast<std::size_t>(a.at[row]); k < static_cast<std::size_t>(a.at[row + 1]); ++k)
      sum += a.value[k];
    for (auto k = static_cast<std::size_t>(strong.at[row]); k < static_cast<std::size_t>(strong.at[row + 1]); ++k)
      sum -= strong.value[k];
    lumped[row] = sum > 0.5 * d[row] ? sum : d[row];
  }
  return lumped;
}

/// (I - 4/3 / eigenvalue D^-1 A) T for the strong part of A and T with a 1 for each row in the column of its aggregate.
SparseMatrix prolongation_of(const SparseMatrix& strong, const std::vector<double>& d,
                             const std::vector<std::int64_t>& aggregate, std::int64_t count) {
  const double damping = 4.0 / 3.0 / largest_eigenvalue(strong, d);
  SparseMatrix smoother = matrix_with_room(strong.rows, strong.columns, strong.entries() + strong.rows);
  SparseMatrix tentative = matrix_with_room(strong.rows, count, strong.rows);
  for (std::size_t row = 0; row < d.size(); ++row) {
    const auto own = static_cast<std::int64_t>(row);
    bool placed = false;
    const auto place_diagonal = [&] {
      smoother.column.push_back(own);
      smoother.value.push_back(1.0 - damping);
      placed = true;
    };
    for (auto k = static_cast<std::size_t>(strong.at[row]); k < static_cast<std::size_t>(strong.at[row + 1]); ++k) {
      if (!placed && strong.column[k] > own) place_diagonal();
      smoother.column.push_back(strong.column[k]);
      smoother.value.push_back(-damping * strong.value[k] / d[row]);
    }
    if (!placed) place_diagonal();
    smoother.at.push_back(static_cast<std::int64_t>(smoother.column.size()));
    if (aggregate[row] >= 0) {
      tentative.column.push_back(aggregate[row]);
      tentative.value.push_back(1.0);
    }
    tentative.at.push_back(static_cast<std::int64_t>(tentative.column.size()));
  }
  return product_of(smoother, tentative);
}

std::array<std::vector<double>, 2> weights_of(const std::vector<double>& d, double largest) {
  const double smallest = largest / smoothed_part;
  const double middle = 0.5 * (largest + smallest), half = 0.5 * (largest - smallest) * std::sqrt(0.5);
  std::array<std::vector<double>, 2> weight;
  for (std::size_t k = 0; k < 2; ++k) weight[k].reserve(d.size());
  for (std::size_t k = 0; k < 2; ++k)
    for (const double element : d) weight[k].push_back(1.0 / (element * (k == 0 ? middle + half : middle - half)));
  return weight;
}

}  // namespace

Multigrid multigrid_of(const SparseMatrix& a, double strength) {
  Multigrid made;
  SparseMatrix coarse;
  const SparseMatrix* finest = &a;
  for (;; strength *= 0.5) {
    const SparseMatrix& fine = made.levels.empty() ? *finest : coarse;
    made.entries += fine.entries();
    made.rows = fine.rows;
    if (fine.rows <= most_coarsest_rows || made.levels.size() + 1 == most_multigrid_levels) break;
    const std::vector<double> d = diagonal_of(fine);
    const SparseMatrix strong = strong_part(fine, d, strength);
    const std::vector<std::int64_t> aggregate = aggregates_of(strong);
    const std::int64_t count = 1 + *std::max_element(aggregate.begin(), aggregate.end());
    if (count == 0 || static_cast<double>(count) > least_coarsening * static_cast<double>(fine.rows)) break;
    MultigridLevel level;
    level.weight = weights_of(d, largest_eigenvalue(fine, d));
    level.prolongation = prolongation_of(strong, lumped_diagonal(fine, strong, d), aggregate, count);
    level.restriction = transposed(level.prolongation);
    SparseMatrix next = product_of(level.restriction, product_of(fine, level.prolongation));
    if (!made.levels.empty()) level.matrix = std::move(coarse);
    coarse = std::move(next);
    made.levels.push_back(std::move(level));
  }
  const SparseMatrix& coarsest = made.levels.empty() ? *finest : coarse;
  const bool small = coarsest.rows <= most_coarsest_rows;
  made.inverse = block_inverses(coarsest, natural_blocks(coarsest.rows, small ? coarsest.rows : 1)).matrix;
  return made;
}

}  // namespace quoin
