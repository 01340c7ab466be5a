#include "problems/jacobi/setup/formulas.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "quoin/error.hpp"
#include "quoin/precision.hpp"

namespace quoin {

NodeFormula::NodeFormula(const Case& the_case, std::string path, const Grid& grid, Precision precision)
    : case_(&the_case),
      path_(std::move(path)),
      grid_(&grid),
      precision_(precision),
      formula_(grid.formula(the_case, path_)) {}

double NodeFormula::at(std::int64_t i, std::int64_t j, std::int64_t k) const {
  const double value = rounded(in_double(i, j, k), precision_);
  if (!std::isfinite(value)) refuse(formula_, i, j, k);
  return value;
}

bool NodeFormula::zero() const {
  if (!constant()) return false;
  const double value = at(0, 0, 0);
  return value == 0.0 && !std::signbit(value);
}

void NodeFormula::refuse(const Expression& formula, std::int64_t i, std::int64_t j, std::int64_t k) const {
  const double x = grid_->x(i);
  const double y = grid_->y(j);
  const double z = grid_->in_space() ? grid_->z(k) : 0.0;
  std::ostringstream message;
  message.precision(17);
  message << "'" << formula.text() << "' is " << rounded(formula(x, y, z), precision_) << " at node "
          << grid_->node(i, j, k) << ", x = " << x << ", y = " << y;
  if (grid_->in_space()) message << ", z = " << z;
  message << (precision_ == Precision::float32 ? ", in float" : "") << "; it must be finite at every node";
  throw case_->error_at(path_, message.str(), formula);
}

double NodeFormula::in_double(std::int64_t i, std::int64_t j, std::int64_t k) const {
  return formula_(grid_->x(i), grid_->y(j), grid_->z(k));
}

void NodeFormula::row(std::int64_t j, std::span<double> values) const {
  if (constant()) {
    std::ranges::fill(values, at(0, j % grid_->ny, j / grid_->ny));
    return;
  }
  if (j < ahead_.first || j >= ahead_.last) look_ahead(j);
  std::ranges::copy(
      std::span(ahead_.values)
          .subspan(static_cast<std::size_t>((j - ahead_.first) * grid_->nx), static_cast<std::size_t>(grid_->nx)),
      values.begin());
}

/// Row j, and twice as many as the last time where that one is next.
void NodeFormula::look_ahead(std::int64_t j) const {
  constexpr std::int64_t most = std::int64_t{1} << 16;  // nodes a thread: half a megabyte
  const std::int64_t room = std::max<std::int64_t>(1, most / grid_->nx * parts_of(most, 1));
  const std::int64_t count = j == ahead_.last ? std::clamp<std::int64_t>(2 * (j - ahead_.first), 1, room) : 1;
  try {
    evaluate(j, std::min(j + count, grid_->rows()));
  } catch (const Error&) {  // of a row that nobody may ask for
    evaluate(j, j + 1);
  }
}

void NodeFormula::compute(const Expression& formula, std::int64_t row, std::span<double> values) const {
  const std::int64_t j = row % grid_->ny;
  const std::int64_t k = row / grid_->ny;
  formula.row(grid_->y(j), grid_->z(k), values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = rounded(values[i], precision_);
    if (!std::isfinite(values[i])) refuse(formula, static_cast<std::int64_t>(i), j, k);
  }
}

/// use(part, formula): some rows of these, counted from `first`, on a thread and with a formula of their own.
template <class Use>
void NodeFormula::by_rows(std::int64_t first, std::int64_t last, const Use& use) const {
  constexpr std::int64_t nodes_for_a_thread = 1 << 12;  // at least
  const std::int64_t nx = grid_->nx;
  const std::int64_t rows = last - first;
  const std::int64_t least = std::max<std::int64_t>(1, nodes_for_a_thread / nx);
  while (std::ssize(by_rows_) < parts_of(rows, least)) {
    std::vector<double> x(static_cast<std::size_t>(nx));
    for (std::int64_t i = 0; i < nx; ++i) x[static_cast<std::size_t>(i)] = grid_->x(i);
    by_rows_.push_back(grid_->formula(*case_, path_));
    by_rows_.back().set_columns(x);
  }
  parallel_parts(
      rows, [&](const Part& part) { use(part, by_rows_[static_cast<std::size_t>(part.number)]); }, least);
}

void NodeFormula::evaluate(std::int64_t first, std::int64_t last) const {
  const std::int64_t nx = grid_->nx;
  ahead_.first = ahead_.last = first;  // none, should one be wrong
  ahead_.values.resize(static_cast<std::size_t>((last - first) * nx));
  by_rows(first, last, [&](const Part& part, const Expression& formula) {
    for (std::int64_t j = part.first; j < part.last; ++j)
      compute(formula, first + j,
              std::span(ahead_.values).subspan(static_cast<std::size_t>(j * nx), static_cast<std::size_t>(nx)));
  });
  ahead_.last = last;
}

void NodeFormula::check() const {
  if (constant()) {
    (void)at(0, 0, 0);
    return;
  }
  by_rows(0, grid_->rows(), [&](const Part& part, const Expression& formula) {
    std::vector<double> row(static_cast<std::size_t>(grid_->nx));
    for (std::int64_t j = part.first; j < part.last; ++j) compute(formula, j, row);
  });
}

void SourceFormula::row(std::int64_t j, std::span<double> values) const {
  NodeFormula::row(j, values);
  if (j != summed_ || (constant() && j > 0)) return;
  sum_.add(std::as_bytes(values));
  ++summed_;
}

std::string SourceFormula::checksum() const {
  std::vector<double> values(static_cast<std::size_t>(grid().nx));
  while (summed_ < (constant() ? 1 : grid().rows())) row(summed_, values);
  return sum_.hex();
}

}  // namespace quoin
