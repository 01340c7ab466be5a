#include "problems/jacobi/setup/formulas.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>
#include <vector>

#include "quoin/error.hpp"
#include "quoin/precision.hpp"

namespace quoin {

NodeFormula::NodeFormula(const Case& the_case, std::string path, const Grid& grid, Precision precision)
    : case_(&the_case),
      path_(std::move(path)),
      grid_(&grid),
      precision_(precision),
      expression_(the_case.expression(path_, grid.constants())) {}

double NodeFormula::at(std::int64_t i, std::int64_t j) const {
  const double x = grid_->x(i);
  const double y = grid_->y(j);
  const double value = rounded(in_double(i, j), precision_);
  if (std::isfinite(value)) return value;
  std::ostringstream message;
  message.precision(17);
  message << "'" << expression_.text() << "' is " << value << " at node (" << i << ", " << j << "), x = " << x
          << ", y = " << y << (precision_ == Precision::float32 ? ", in float" : "")
          << "; it must be finite at every node";
  throw case_->error_at(path_, message.str(), expression_);
}

double NodeFormula::in_double(std::int64_t i, std::int64_t j) const { return expression_(grid_->x(i), grid_->y(j)); }

void NodeFormula::row(std::int64_t j, std::span<double> values) const {
  if (constant()) {
    std::ranges::fill(values, at(0, j));
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = at(static_cast<std::int64_t>(i), j);
}

void SourceFormula::row(std::int64_t j, std::span<double> values) const {
  NodeFormula::row(j, values);
  if (j != hashed_ || (constant() && j > 0)) return;
  hash_.add(std::as_bytes(values));
  ++hashed_;
}

Sha256 SourceFormula::hash() const {
  std::vector<double> values(static_cast<std::size_t>(grid().nx));
  while (hashed_ < (constant() ? 1 : grid().ny)) row(hashed_, values);
  return hash_;
}

}  // namespace quoin
