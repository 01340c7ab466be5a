#include "problems/jacobi/scheme/residual_norm.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "quoin/catalogue.hpp"
#include "quoin/precision.hpp"
#include "quoin/ranks.hpp"

namespace quoin {

std::int64_t blocks_across(std::int64_t nx) { return (nx + block_columns - 1) / block_columns; }
std::int64_t blocks_of(std::int64_t nx, std::int64_t ny) {
  return blocks_across(nx) * ((ny + block_rows - 1) / block_rows);
}

ResidualNorm::ResidualNorm(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Communicator& ranks,
                           Bands bands, std::size_t slots, std::size_t sweeps, KernelTimer& timer)
    : precision_(setup.method.precision),
      ranks_(ranks),
      bands_(std::move(bands)),
      edge_(bands_.cut() ? std::make_unique<EdgeQueue>(*executor) : nullptr),
      block_columns_(blocks_across(setup.grid.nx)),
      blocks_(blocks_of(setup.grid.nx, setup.device_rows())),
      sweeps_(static_cast<std::int64_t>(sweeps)),
      scale_(setup.grid.cell()),
      divisor_(setup.norm_divisor()),
      partials_(executor,
                sweeps * static_cast<std::size_t>(std::max<std::int64_t>(1, blocks_)) * element_size(precision_)),
      norms_(executor, slots * element_size(precision_)),
      control_(executor, 2),
      kernel_(*executor, {"residual_norm", precision_, {}}, Box::line(blocks_), timer),
      joined_(ranks.size() > 1 ? slots : 0) {
  if (ranks.size() == 1) return;
  const std::int64_t first = setup.part.first / block_rows * block_columns_;
  for (std::size_t band = 0; band < bands_.rows.size(); ++band)
    groups_.emplace_back(executor, precision_, first + blocks_before(band), blocks_in(band), sweeps_);
}

std::int64_t ResidualNorm::blocks_before(std::size_t band) const {
  return bands_.rows[band].first / block_rows * block_columns_;
}

std::int64_t ResidualNorm::blocks_in(std::size_t band) const {
  return (band + 1 < bands_.rows.size() ? blocks_before(band + 1) : blocks_) - blocks_before(band);
}

/// The sums of one band lie before those of the next.
std::size_t ResidualNorm::offset(std::int64_t sweep, std::size_t band) const {
  return static_cast<std::size_t>(sweeps_ * blocks_before(band) + sweep * blocks_in(band)) * element_size(precision_);
}

Argument ResidualNorm::partials(std::int64_t sweep, std::size_t band) {
  return Argument::buffer(partials_.memory(), offset(sweep, band), block_columns_);
}

Argument ResidualNorm::control() { return Argument::buffer(control_.memory()); }

void ResidualNorm::reset(Queue& queue) {
  control_.upload(queue, std::array<std::int64_t, 2>{0, 0});
  joined_stop_ = 0;
}

void ResidualNorm::launch(Queue& queue, std::int64_t slot, std::int64_t iteration, std::int64_t sweeps,
                          std::int64_t every, double tolerance) {
  if (ranks_.size() > 1) {
    if (precision_ == Precision::float64)
      join<double>(queue, slot, iteration, sweeps, every, tolerance);
    else
      join<float>(queue, slot, iteration, sweeps, every, tolerance);
    return;
  }
  const std::array arguments{Argument::buffer(partials_.memory(), 0, blocks_),
                             Argument::buffer(norms_.memory()),
                             Argument::integer(slot),
                             Argument::integer(iteration),
                             Argument::integer(every),
                             Argument::real(scale_),
                             Argument::real(divisor_),
                             Argument::real(tolerance),
                             control()};
  kernel_.launch(queue, Box::plane(blocks_, sweeps), arguments);
}

/// Of the part, for each sweep of the newest pass. Those of the edges come first, while the inner band is computed.
template <class T>
std::vector<TreeDigest<T>> ResidualNorm::digests(Queue& queue, std::int64_t sweeps) {
  std::vector<std::vector<TreeDigest<T>>> of_bands(groups_.size());
  const auto take = [&](Queue& from, std::size_t band) {
    of_bands[band] = groups_[band].template digests<T>(from, partials_.memory(), sweeps, offset(0, band));
  };
  for (std::size_t band = 0; band < groups_.size(); ++band)
    if (band != bands_.inner) take(edge_->queue(), band);
  take(queue, bands_.inner);
  std::vector<TreeDigest<T>> all = std::move(of_bands.front());
  for (std::size_t band = 1; band < of_bands.size(); ++band)
    for (std::size_t s = 0; s < all.size(); ++s) all[s].append(of_bands[band][s]);
  return all;
}

/// What the kernel residual_norm does, with sums over the parts of all ranks.
template <class T>
void ResidualNorm::join(Queue& queue, std::int64_t slot, std::int64_t iteration, std::int64_t sweeps,
                        std::int64_t every, double tolerance) {
  const std::vector<T> joined = sums_of(ranks_, digests<T>(queue, sweeps));
  for (std::int64_t s = 0; s < sweeps; ++s) {
    const T norm = std::sqrt(joined[static_cast<std::size_t>(s)] * static_cast<T>(scale_)) / static_cast<T>(divisor_);
    joined_[static_cast<std::size_t>(slot + s)] = static_cast<double>(norm);
    const bool stops = (norm <= static_cast<T>(tolerance) && (iteration + s) % every == 0) || !std::isfinite(norm);
    if (stops && joined_stop_ == 0) joined_stop_ = iteration + s;
  }
  if (joined_stop_ != 0) control_.upload(queue, std::array<std::int64_t, 2>{joined_stop_, 1});
}

std::int64_t ResidualNorm::stopped_at(Queue& queue) const {
  if (ranks_.size() > 1) return joined_stop_;
  std::array<std::int64_t, 2> words{};
  control_.download(queue, words);
  return words[0];
}

std::vector<double> ResidualNorm::norms(Queue& queue, std::size_t count) const {
  if (ranks_.size() > 1) return {joined_.begin(), joined_.begin() + static_cast<std::ptrdiff_t>(count)};
  std::vector<std::byte> raw(count * element_size(precision_));
  norms_.download(queue, raw);
  return from_precision(raw, precision_);
}

}  // namespace quoin
