#include "problems/dgcvs/scheme/cell_points.hpp"

#include <algorithm>
#include <cstring>

#include "base/wide.hpp"
#include "problems/dgcvs/scheme/basis.hpp"
#include "quoin/catalogue.hpp"

namespace quoin {
namespace {

/// In place: the inverse factor of a Gram matrix, and its transpose, applied to a vector of n values.
void apply_inverse(const std::vector<double>& factor, std::size_t n, double* values) {
  for (std::size_t row = n; row-- > 0;) {
    double sum = 0.0;
    for (std::size_t m = 0; m <= row; ++m) sum += factor[row * (row + 1) / 2 + m] * values[m];
    values[row] = sum;
  }
  for (std::size_t m = 0; m < n; ++m) {
    double sum = 0.0;
    for (std::size_t row = m; row < n; ++row) sum += factor[row * (row + 1) / 2 + m] * values[row];
    values[m] = sum;
  }
}

/// The sums of values * phi.
QUOIN_WIDE Monomials moments_of(const std::vector<double>& values, const std::vector<Monomials>& phi) {
  using Vector [[gnu::vector_size(sizeof(Monomials) / 2)]] = double;
  Vector first{};
  Vector second{};
  for (std::size_t k = 0; k < values.size(); ++k) {
    Vector at_point;
    std::memcpy(&at_point, phi[k].data(), sizeof at_point);
    first += values[k] * at_point;
    std::memcpy(&at_point, phi[k].data() + 8, sizeof at_point);
    second += values[k] * at_point;
  }
  Monomials moments;
  std::memcpy(moments.data(), &first, sizeof first);
  std::memcpy(moments.data() + 8, &second, sizeof second);
  return moments;
}

}  // namespace

CellPoints::CellPoints(const DgSetup& setup)
    : setup_(setup),
      rule_(gauss_rule(setup.method.order + 3)),
      space_(static_cast<std::size_t>(dgcvs_space(setup.method.order))) {}

void CellPoints::go_to(const CellFrame& cell, std::int64_t number) {
  sample(cell);
  points_.resize(samples_.size());
  std::ranges::transform(samples_, points_.begin(), [&](const Sample& sample) {
    return Point{cell.centre.x + cell.length * sample.at.x, cell.centre.y + cell.length * sample.at.y};
  });
  for (const std::int64_t quad : setup_.staggered.cells.quads_of(number)) {
    const auto& corners = setup_.staggered.quads[static_cast<std::size_t>(quad)].corners;
    points_.insert(points_.end(), corners.begin(), corners.end());
  }
}

void CellPoints::project(const CellFrame& cell, const double* values, double* c) {
  weighted_.resize(samples_.size());
  for (std::size_t k = 0; k < samples_.size(); ++k) weighted_[k] = samples_[k].weight * values[k];
  const Monomials moments = moments_of(weighted_, phi_);
  std::copy_n(moments.begin(), space_, c);
  apply_inverse(cell.shape->factor, space_, c);
}

void CellPoints::sample(const CellFrame& cell) {
  if (cell.shape == sampled_) return;
  sampled_ = cell.shape;
  samples_.clear();
  for (const auto& corners : cell.shape->corners)
    visit_quad(corners, rule_, [&](Point at, double weight) { samples_.push_back({at, weight}); });
  phi_.resize(samples_.size() + 4 * cell.shape->corners.size());  // what is behind those of the order stays 0
  auto phi = phi_.begin();
  const auto add = [&](Point at) { spatial_monomials(setup_.method.order, at.x, at.y, (phi++)->data()); };
  for (const Sample& sample : samples_) add(sample.at);
  for (const auto& corners : cell.shape->corners) std::ranges::for_each(corners, add);
}

}  // namespace quoin
