#include "problems/linear_system/setup/aggregates.hpp"

#include <cmath>
#include <utility>

namespace quoin {
namespace {

constexpr std::int64_t none = -1;

class Aggregation {
 public:
  explicit Aggregation(const Ties& ties) : ties_(ties), of_row_(static_cast<std::size_t>(ties.matrix().rows), none) {
    for (std::size_t row = 0; row < of_row_.size(); ++row)
      if (is_free(row)) found(row);
    // Those between: each joins the neighbour that it is tied to most, as they stand now.
    const std::vector<std::int64_t> founded = of_row_;
    for (std::size_t row = 0; row < of_row_.size(); ++row)
      if (of_row_[row] == none) of_row_[row] = closest(row, founded);
    for (std::size_t row = 0; row < of_row_.size(); ++row)
      if (of_row_[row] == none && has_ties(row)) found(row);
  }

  [[nodiscard]] std::vector<std::int64_t> take() { return std::move(of_row_); }

 private:
  /// Calls body(column, magnitude) for each that the row is tied to.
  template <class Body>
  void each_tie(std::size_t row, Body&& body) const {
    const SparseMatrix& a = ties_.matrix();
    for (auto k = static_cast<std::size_t>(a.at[row]); k < static_cast<std::size_t>(a.at[row + 1]); ++k)
      if (ties_.strong(row, k)) body(static_cast<std::size_t>(a.column[k]), std::abs(a.value[k]));
  }

  [[nodiscard]] bool has_ties(std::size_t row) const {
    bool has = false;
    each_tie(row, [&](auto, auto) { has = true; });
    return has;
  }
  /// It has ties, and none of these rows is in an aggregate.
  [[nodiscard]] bool is_free(std::size_t row) const {
    bool free = of_row_[row] == none, tied = false;
    each_tie(row, [&](std::size_t column, double) {
      tied = true;
      free = free && of_row_[column] == none;
    });
    return free && tied;
  }

  /// An aggregate of the row and of those that it is tied to and that are in none.
  void found(std::size_t row) {
    of_row_[row] = count_;
    each_tie(row, [&](std::size_t column, double) {
      if (of_row_[column] == none) of_row_[column] = count_;
    });
    ++count_;
  }

  [[nodiscard]] std::int64_t closest(std::size_t row, const std::vector<std::int64_t>& founded) const {
    double most = 0.0;
    std::int64_t best = none;
    each_tie(row, [&](std::size_t column, double tie) {
      if (founded[column] == none || tie <= most) return;
      most = tie;
      best = founded[column];
    });
    return best;
  }

  const Ties& ties_;
  std::vector<std::int64_t> of_row_;
  std::int64_t count_ = 0;
};

}  // namespace

std::vector<std::int64_t> aggregates_of(const Ties& ties) { return Aggregation(ties).take(); }

}  // namespace quoin
