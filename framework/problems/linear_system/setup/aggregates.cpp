#include <algorithm>
#include <cmath>

#include "problems/linear_system/setup/multigrid_levels.hpp"

namespace quoin {
namespace {

constexpr std::int64_t none = -1;

class Aggregation {
 public:
  explicit Aggregation(const SparseMatrix& strong)
      : strong_(strong), of_row_(static_cast<std::size_t>(strong.rows), none) {
    for (std::int64_t row = 0; row < strong.rows; ++row)
      if (neighbours(row) > 0 && is_free(row)) found(row);
    // Those between: each joins the neighbour that it is tied to most, as they stand now.
    const std::vector<std::int64_t> founded = of_row_;
    for (std::int64_t row = 0; row < strong.rows; ++row)
      if (of(row) == none) of(row) = closest(row, founded);
    for (std::int64_t row = 0; row < strong.rows; ++row)
      if (neighbours(row) > 0 && of(row) == none) found(row);
  }

  [[nodiscard]] std::vector<std::int64_t> take() { return std::move(of_row_); }

 private:
  std::int64_t& of(std::int64_t row) { return of_row_[static_cast<std::size_t>(row)]; }
  [[nodiscard]] std::int64_t begin(std::int64_t row) const { return strong_.at[static_cast<std::size_t>(row)]; }
  [[nodiscard]] std::int64_t neighbours(std::int64_t row) const { return begin(row + 1) - begin(row); }
  [[nodiscard]] std::int64_t neighbour(std::int64_t k) const { return strong_.column[static_cast<std::size_t>(k)]; }

  bool is_free(std::int64_t row) {
    if (of(row) != none) return false;
    for (std::int64_t k = begin(row); k < begin(row + 1); ++k)
      if (of(neighbour(k)) != none) return false;
    return true;
  }

  /// An aggregate of the row and its neighbours that are in none.
  void found(std::int64_t row) {
    of(row) = count_;
    for (std::int64_t k = begin(row); k < begin(row + 1); ++k)
      if (of(neighbour(k)) == none) of(neighbour(k)) = count_;
    ++count_;
  }

  [[nodiscard]] std::int64_t closest(std::int64_t row, const std::vector<std::int64_t>& founded) const {
    double most = 0.0;
    std::int64_t best = none;
    for (std::int64_t k = begin(row); k < begin(row + 1); ++k) {
      const std::int64_t aggregate = founded[static_cast<std::size_t>(neighbour(k))];
      const double tie = std::abs(strong_.value[static_cast<std::size_t>(k)]);
      if (aggregate == none || tie <= most) continue;
      most = tie;
      best = aggregate;
    }
    return best;
  }

  const SparseMatrix& strong_;
  std::vector<std::int64_t> of_row_;
  std::int64_t count_ = 0;
};

}  // namespace

std::vector<std::int64_t> aggregates_of(const SparseMatrix& strong) { return Aggregation(strong).take(); }

}  // namespace quoin
