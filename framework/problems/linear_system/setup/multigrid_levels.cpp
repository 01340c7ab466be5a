#include "problems/linear_system/setup/multigrid_levels.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.hpp"
#include "problems/linear_system/setup/aggregates.hpp"
#include "problems/linear_system/setup/block_inverses.hpp"
#include "problems/linear_system/setup/sparse_products.hpp"

namespace quoin {
namespace {

/// The smoother is for the eigenvalues down to the largest over this.
constexpr double smoothed_part = 6.0;
/// Fewer rows that a level has than this part of the next finer one are not worth it.
constexpr double least_coarsening = 0.8;

/// Gershgorin's bound of the eigenvalues of D^-1 A, for the entries beside the diagonal that count.
template <class Counts>
double largest_eigenvalue(const SparseMatrix& a, const std::vector<double>& d, Counts&& counts) {
  double most = 1.0;
  for (std::size_t row = 0; row < d.size(); ++row) {
    double sum = 0.0;
    for (auto k = static_cast<std::size_t>(a.at[row]); k < static_cast<std::size_t>(a.at[row + 1]); ++k)
      if (a.column[k] != static_cast<std::int64_t>(row) && counts(row, k)) sum += std::abs(a.value[k]);
    most = std::max(most, 1.0 + sum / std::abs(d[row]));
  }
  return most;
}

/// Rows of (I - 4/3 / eigenvalue D^-1 A) T for the strong part of A and T with a 1 for each row in the column of its
/// aggregate. What is weak in a row is added to its diagonal, so that constants stay what they are to the matrix.
class Prolongation {
 public:
  Prolongation(const SparseMatrix& a, const Ties& ties, const std::vector<std::int64_t>& aggregate)
      : a_(a), ties_(ties), aggregate_(aggregate) {
    lumped_.reserve(ties.diagonal().size());
    for (std::size_t row = 0; row < ties.diagonal().size(); ++row) lumped_.push_back(lumped(row));
    damping_ =
        4.0 / 3.0 / largest_eigenvalue(a, lumped_, [&](std::size_t row, std::size_t k) { return ties.strong(row, k); });
  }

  /// On all cores: first how long the rows are.
  [[nodiscard]] SparseMatrix of(std::int64_t aggregates) const {
    SparseMatrix p{a_.rows, aggregates, {}, {}, {}};
    p.at.resize(lumped_.size() + 1);
    each_row([&](std::size_t row, const Row& entries) { p.at[row + 1] = static_cast<std::int64_t>(entries.size()); });
    place_entries(p);
    each_row([&](std::size_t row, const Row& entries) {
      auto to = static_cast<std::size_t>(p.at[row]);
      for (const auto& [column, value] : entries) {
        p.column[to] = column;
        p.value[to++] = value;
      }
    });
    return p;
  }

 private:
  [[nodiscard]] double lumped(std::size_t row) const {
    double sum = 0.0;
    for (auto k = static_cast<std::size_t>(a_.at[row]); k < static_cast<std::size_t>(a_.at[row + 1]); ++k)
      if (!ties_.strong(row, k)) sum += a_.value[k];
    const double d = ties_.diagonal()[row];
    return sum / d > 0.5 ? sum : d;
  }

  using Row = std::vector<std::pair<std::int64_t, double>>;

  /// Calls visit(row, its entries by ascending column).
  template <class Visit>
  void each_row(Visit&& visit) const {
    parallel_parts(
        a_.rows,
        [&](const Part& part) {
          Row entries;
          for (auto row = static_cast<std::size_t>(part.first); row < static_cast<std::size_t>(part.last); ++row) {
            collect(row, entries);
            visit(row, entries);
          }
        },
        rows_of_thread);
  }

  void collect(std::size_t row, Row& entries) const {
    entries.clear();
    for (auto k = static_cast<std::size_t>(a_.at[row]); k < static_cast<std::size_t>(a_.at[row + 1]); ++k) {
      const auto column = static_cast<std::size_t>(a_.column[k]);
      if (aggregate_[column] < 0) continue;
      if (column == row) add(entries, aggregate_[column], 1.0 - damping_);
      if (ties_.strong(row, k)) add(entries, aggregate_[column], -damping_ * a_.value[k] / lumped_[row]);
    }
    std::sort(entries.begin(), entries.end());
  }
  static void add(Row& entries, std::int64_t column, double value) {
    for (auto& [known, sum] : entries) {
      if (known != column) continue;
      sum += value;
      return;
    }
    entries.emplace_back(column, value);
  }

  const SparseMatrix& a_;
  const Ties& ties_;
  const std::vector<std::int64_t>& aggregate_;
  std::vector<double> lumped_;
  double damping_ = 0.0;
};

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
  for (;; strength *= 0.5) {
    const SparseMatrix& fine = made.levels.empty() ? a : coarse;
    made.entries += fine.entries();
    made.rows = fine.rows;
    if (fine.rows <= most_coarsest_rows || made.levels.size() + 1 == most_multigrid_levels) break;
    const Ties ties(fine, strength);
    const std::vector<std::int64_t> aggregate = aggregates_of(ties);
    const std::int64_t count = 1 + *std::max_element(aggregate.begin(), aggregate.end());
    if (count == 0 || static_cast<double>(count) > least_coarsening * static_cast<double>(fine.rows)) break;
    MultigridLevel level;
    level.weight =
        weights_of(ties.diagonal(), largest_eigenvalue(fine, ties.diagonal(), [](auto, auto) { return true; }));
    level.prolongation = Prolongation(fine, ties, aggregate).of(count);
    level.restriction = transposed(level.prolongation);
    SparseMatrix next = product_of(level.restriction, product_of(fine, level.prolongation));
    if (!made.levels.empty()) level.matrix = std::move(coarse);
    coarse = std::move(next);
    made.levels.push_back(std::move(level));
  }
  const SparseMatrix& coarsest = made.levels.empty() ? a : coarse;
  const bool small = coarsest.rows <= most_coarsest_rows;
  made.inverse = block_inverses(coarsest, natural_blocks(coarsest.rows, small ? coarsest.rows : 1)).matrix;
  return made;
}

}  // namespace quoin
