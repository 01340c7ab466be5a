#include "problems/jacobi/scheme/row_exchange.hpp"

#include <algorithm>
#include <memory>

#include "problems/jacobi/scheme/tags.hpp"
#include "problems/jacobi/setup/strips.hpp"
#include "quoin/precision.hpp"

namespace quoin {

RowExchange::RowExchange(Communicator& ranks, const JacobiSetup& setup, std::int64_t depth)
    : ranks_(ranks), setup_(setup) {
  const Strips strips(setup.grid.ny, ranks.size());
  const Strip own = setup.part;
  const auto at_most = [depth](const Strip& strip) { return std::min(depth, strip.rows()); };
  if (const auto below = strips.below(ranks.rank()))
    cuts_.push_back({*below, 0, -at_most(strips[*below]), at_most(own), at_most(strips[*below])});
  if (const auto above = strips.above(ranks.rank()))
    cuts_.push_back({*above, own.rows() - at_most(own), own.rows(), at_most(own), at_most(strips[*above])});
  if (!cuts_.empty()) sides_ = setup.sides();
}

std::vector<std::byte> RowExchange::rows_for(const Cut& cut, Queue& queue, const Field& field) const {
  std::vector<std::byte> rows;
  field.download(queue, cut.out, cut.out + cut.out_rows, [&rows](std::int64_t /*j*/, std::span<const std::byte> row) {
    rows.insert(rows.end(), row.begin(), row.end());
  });
  return rows;
}

void RowExchange::fill_ghosts(const Cut& cut, Queue& queue, Field& field, std::span<const std::byte> rows) const {
  const auto nx = static_cast<std::size_t>(setup_.grid.nx);
  const Precision precision = setup_.method.precision;
  field.upload(queue, cut.in, cut.in + cut.in_rows, [&](std::int64_t j, std::span<double> row) {
    const auto global = static_cast<std::size_t>(setup_.part.first + j);
    const std::size_t first = static_cast<std::size_t>(j - cut.in) * nx;
    row.front() = sides_.left[global];
    row.back() = sides_.right[global];
    for (std::size_t i = 0; i < nx; ++i) row[i + 1] = value_at(rows, first + i, precision);
  });
}

void RowExchange::run(Queue& queue, Field& field) const {
  const std::size_t row_bytes = static_cast<std::size_t>(setup_.grid.nx) * element_size(setup_.method.precision);
  std::vector<std::vector<std::byte>> out;
  std::vector<std::vector<std::byte>> in;
  std::vector<std::unique_ptr<Communicator::Transfer>> sent;
  std::vector<std::unique_ptr<Communicator::Transfer>> received;
  for (const Cut& cut : cuts_) {
    in.emplace_back(static_cast<std::size_t>(cut.in_rows) * row_bytes);
    received.push_back(ranks_.receive(in.back(), cut.rank, ghost_tag));
  }
  for (const Cut& cut : cuts_) {
    out.push_back(rows_for(cut, queue, field));
    sent.push_back(ranks_.send(out.back(), cut.rank, ghost_tag));
  }
  for (std::size_t k = 0; k < cuts_.size(); ++k) {
    ranks_.wait(*received[k]);
    fill_ghosts(cuts_[k], queue, field, in[k]);
  }
  for (const auto& transfer : sent) ranks_.wait(*transfer);
}

}  // namespace quoin
