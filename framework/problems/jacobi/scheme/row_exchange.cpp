#include "problems/jacobi/scheme/row_exchange.hpp"

#include <algorithm>

#include "base/portions.hpp"
#include "problems/jacobi/scheme/tags.hpp"
#include "quoin/precision.hpp"
#include "quoin/ranks.hpp"

namespace quoin {
namespace {

std::size_t bytes_of(const StripGrid& grid, std::int64_t rows) {
  return static_cast<std::size_t>(rows * grid.nx) * element_size(grid.precision);
}

std::vector<std::byte> rows_of(const StripGrid& grid, Queue& queue, const Field& field, std::int64_t first,
                               std::int64_t last) {
  std::vector<std::byte> rows;
  rows.reserve(bytes_of(grid, last - first));
  field.download(queue, first, last, [&rows](std::int64_t /*j*/, std::span<const std::byte> row) {
    rows.insert(rows.end(), row.begin(), row.end());
  });
  return rows;
}

}  // namespace

StripGrid strip_grid(Communicator& ranks, const JacobiSetup& setup) {
  return {ranks, Strips(setup.grid.rows(), ranks.size()), setup.grid.nx, setup.method.precision};
}

RowExchange::RowExchange(Communicator& ranks, const JacobiSetup& setup, std::int64_t depth)
    : RowExchange(strip_grid(ranks, setup), depth) {
  if (!cuts_.empty()) sides_ = setup.sides();
}

RowExchange::RowExchange(const StripGrid& grid, std::int64_t depth) : grid_(grid) {
  const Strip own = grid.own();
  const auto at_most = [depth](const Strip& strip) { return std::min(depth, strip.rows()); };
  if (const auto below = grid.strips.below(grid.ranks.rank()))
    cuts_.push_back({*below, 0, -at_most(grid.strips[*below]), at_most(own), at_most(grid.strips[*below])});
  if (const auto above = grid.strips.above(grid.ranks.rank()))
    cuts_.push_back({*above, own.rows() - at_most(own), own.rows(), at_most(own), at_most(grid.strips[*above])});
}

RowExchange RowExchange::of_all(const StripGrid& grid) {
  RowExchange all(grid);
  const Strip own = grid.own();
  for (int rank = 0; rank < grid.ranks.size(); ++rank)
    if (rank != grid.ranks.rank())
      all.cuts_.push_back({rank, own.first, grid.strips[rank].first, own.rows(), grid.strips[rank].rows()});
  return all;
}

/// Between what stands at the ends of a row, where its field has a ring.
void RowExchange::fill(const Cut& cut, Queue& queue, Field& field, std::span<const std::byte> rows) const {
  const std::size_t size = element_size(grid_.precision);
  const std::size_t inside = bytes_of(grid_, 1);
  field.upload_raw(queue, cut.in, cut.in + cut.in_rows, [&](std::int64_t j, std::span<std::byte> row) {
    const std::size_t ring = (row.size() - inside) / 2;
    std::ranges::copy(rows.subspan(static_cast<std::size_t>(j - cut.in) * inside, inside),
                      row.begin() + static_cast<std::ptrdiff_t>(ring));
    if (ring == 0 || !sides_) return;
    const auto global = static_cast<std::size_t>(grid_.own().first + j);
    store_values(std::span(sides_->left).subspan(global, 1), grid_.precision, row.data());
    store_values(std::span(sides_->right).subspan(global, 1), grid_.precision, row.data() + row.size() - size);
  });
}

bool RowExchange::alike(std::initializer_list<Field*> fields) {
  if (alike_) return *alike_;
  alike_ = true;
  for (const Field* field : fields)
    if (least_of(grid_.ranks, field->pitch()) != -least_of(grid_.ranks, -field->pitch())) alike_ = false;
  return *alike_;
}

/// The rows of several fields go in one message. What lies between rows goes along: what stands at their ends is the
/// same on all ranks.
void RowExchange::run(Queue& queue, std::initializer_list<Field*> fields) {
  if (!alike(fields)) {
    for (Field* field : fields) run_row_by_row(queue, *field);
    return;
  }
  struct Piece {
    const Cut& cut;
    Field& field;
    std::span<std::byte> rows;
  };
  struct Messages {
    std::vector<Parcel> parcels;
    std::vector<Piece> pieces;
  };
  const auto messages_in = [&](HostBytes& bytes, std::int64_t Cut::*rows) {
    std::size_t size = 0;
    for (const Cut& cut : cuts_)
      for (const Field* field : fields) size += field->bytes_of_rows(cut.*rows);
    if (bytes.all().size() < size) bytes = HostBytes((*fields.begin())->executor(), size);
    Messages messages;
    Portions room{bytes.all()};
    for (const Cut& cut : cuts_) {
      const std::span<std::byte> whole = room.left;
      for (Field* field : fields) messages.pieces.push_back({cut, *field, room.next(field->bytes_of_rows(cut.*rows))});
      messages.parcels.push_back({cut.rank, whole.first(whole.size() - room.left.size())});
    }
    return messages;
  };
  const Messages out = messages_in(out_, &Cut::out_rows);
  const Messages in = messages_in(in_, &Cut::in_rows);
  for (const Piece& piece : out.pieces) piece.field.copy_rows_out(queue, piece.cut.out, piece.rows);
  exchange(grid_.ranks, out.parcels, in.parcels, ghost_tag);
  for (const Piece& piece : in.pieces) piece.field.copy_rows_in(queue, piece.cut.in, piece.rows);
}

/// Where memory differs.
void RowExchange::run_row_by_row(Queue& queue, Field& field) const {
  std::vector<std::vector<std::byte>> rows;
  std::vector<Parcel> out;
  std::vector<Parcel> in;
  for (const Cut& cut : cuts_) {
    out.push_back({cut.rank, rows.emplace_back(rows_of(grid_, queue, field, cut.out, cut.out + cut.out_rows))});
    in.push_back({cut.rank, rows.emplace_back(bytes_of(grid_, cut.in_rows))});
  }
  exchange(grid_.ranks, out, in, ghost_tag);
  for (std::size_t k = 0; k < cuts_.size(); ++k) fill(cuts_[k], queue, field, in[k].bytes);
}

}  // namespace quoin
