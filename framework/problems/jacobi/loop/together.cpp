// How the loops of several ranks work together: the orders of the first one, and the rows that pass between them.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "problems/jacobi/loop/closed_field.hpp"
#include "problems/jacobi/loop/iteration_loop.hpp"
#include "problems/jacobi/scheme/row_stream.hpp"
#include "problems/jacobi/scheme/tags.hpp"
#include "quoin/precision.hpp"
#include "quoin/ranks.hpp"

namespace quoin {

void IterationLoop::follow() {
  while (true) {
    const Order order = orders_.next();
    switch (order.kind) {
      case Kind::load_initial:
        load_part(initial().fill);
        break;
      case Kind::load_zero:
        load_part(zero().fill);
        break;
      case Kind::load_given:
        load_received();
        break;
      case Kind::run:
        iterations_ = order.first;
        (void)run(order.count, order.tolerance);
        break;
      case Kind::measure:
        (void)measure_part();
        break;
      case Kind::send_rows:
        send_part({order.first, order.first + order.count});
        break;
      case Kind::write_rows:
        (void)write_part(nullptr);
        break;
      case Kind::write_piece:
        write_piece(nullptr);
        break;
      case Kind::finite:
        (void)part_is_finite();
        break;
      case Kind::end:
        return;
    }
  }
}

IterationLoop::Values IterationLoop::zero() {
  return {Kind::load_zero, [](std::int64_t /*j*/, std::span<double> row) { std::ranges::fill(row, 0.0); }};
}

IterationLoop::Values IterationLoop::initial() const {
  if (!setup_.initial || setup_.initial->zero()) return zero();
  return {Kind::load_initial, [this](std::int64_t j, std::span<double> row) { setup_.initial->row(j, row); }};
}

void IterationLoop::load(const Values& values) {
  orders_.give({values.kind});
  const Strips strips(setup_.grid.rows(), ranks_.size());
  if (values.kind == Kind::load_given) {
    std::vector<double> row(static_cast<std::size_t>(setup_.grid.nx));
    for (int rank = 1; rank < ranks_.size(); ++rank) {
      RowStream(ranks_, setup_, strips[rank]).send(rank, [&](std::int64_t j, std::span<std::byte> raw) {
        values.fill(j, row);
        store_values(row, setup_.method.precision, raw.data());
      });
    }
  }
  load_part(values.fill);
}

/// From the rows that the first rank sends.
void IterationLoop::load_received() {
  std::vector<std::byte> values;
  RowStream(ranks_, setup_, setup_.part).receive(0, [&](std::int64_t /*j*/, std::span<const std::byte> row) {
    values.insert(values.end(), row.begin(), row.end());
  });
  const Field::Fill own = fill_of(values, setup_.method.precision);
  load_part([&](std::int64_t j, std::span<double> row) { own(j - setup_.part.first, row); });
}

/// Sets the current iterate by rows of the grid, its ring of side values (corners stay unused) and an unstopped device.
/// What lies beyond the part comes from the ranks beside it.
void IterationLoop::load_part(const Field::Fill& interior) {
  const Grid& grid = setup_.grid;
  const Planes planes = setup_.planes();
  // Row `at` of the part or, in space, of all planes.
  const auto place = [&](std::int64_t at) { return planes.place(setup_.part.first + at); };
  const auto along = [&](const std::vector<double>& side, std::int64_t line, std::span<double> row) {
    std::copy_n(side.begin() + line * grid.nx, grid.nx, row.begin() + 1);
  };
  const Field::Fill sides = [&](std::int64_t at, std::span<double> row) {
    const auto [j, k] = place(at);
    const bool in_plane = k >= 0 && k < grid.nz;
    if (j >= 0 && j < grid.ny && in_plane) {
      row.front() = sides_.left[static_cast<std::size_t>(k * grid.ny + j)];
      row.back() = sides_.right[static_cast<std::size_t>(k * grid.ny + j)];
    } else if ((j == -1 || j == grid.ny) && in_plane) {
      along(j == -1 ? sides_.bottom : sides_.top, k, row);
    } else if (j >= 0 && j < grid.ny && (k == -1 || k == grid.nz) && grid.in_space()) {
      along(k == -1 ? sides_.back : sides_.front, j, row);
    }
  };
  const Field::Fill iterate = [&](std::int64_t at, std::span<double> row) {
    sides(at, row);
    if (at >= 0 && at < setup_.device_rows() && planes.inside(place(at)))
      interior(planes.number(place(at)), row.subspan(1, row.size() - 2));
  };
  sweeps_->load(*queue_, sides, iterate);
  norm_->reset(*queue_);
}

/// The rows [first, last) of the part.
void IterationLoop::download(std::int64_t first, std::int64_t last, const Field::Read& read) const {
  if (!setup_.grid.in_space()) return sweeps_->iterate().download(*queue_, first, last, read);
  if (first >= last) return;
  const Planes planes = setup_.planes();
  const auto at = [&](std::int64_t number) { return planes.row(number % planes.ny, number / planes.ny); };
  sweeps_->iterate().download(*queue_, at(first), at(last - 1) + 1,
                              [&](std::int64_t row, std::span<const std::byte> values) {
                                const Planes::Place place = planes.place(row);
                                if (planes.inside(place)) read(planes.number(place), values);
                              });
}

namespace {

Strip both(const Strip& a, const Strip& b) {
  const std::int64_t first = std::max(a.first, b.first);
  return {first, std::max(first, std::min(a.last, b.last))};
}

}  // namespace

void IterationLoop::send_part(const Strip& rows) const {
  const Strip own = both(rows, setup_.part);
  const std::int64_t down = setup_.part.first;
  RowStream(ranks_, setup_, own).send(0, [&](std::int64_t j, std::span<std::byte> raw) {
    sweeps_->iterate().download(
        *queue_, j - down, j - down + 1,
        [&](std::int64_t /*j*/, std::span<const std::byte> row) { std::ranges::copy(row, raw.begin()); });
  });
}

void IterationLoop::read(std::int64_t first, std::int64_t last, const Field::Read& read) const {
  orders_.give({Kind::send_rows, first, last - first});
  const Strips strips(setup_.grid.rows(), ranks_.size());
  const Strip own = both({first, last}, setup_.part);
  download(own.first, own.last, read);
  for (int rank = 1; rank < ranks_.size(); ++rank)
    RowStream(ranks_, setup_, both({first, last}, strips[rank])).receive(rank, read);
}

std::vector<WrittenPart> IterationLoop::write_rows(RankFiles& files) const {
  orders_.give({Kind::write_rows});
  return write_part(&files);
}

std::vector<WrittenPart> IterationLoop::write_part(RankFiles* files) const {
  const Strip& part = setup_.part;
  const auto row = static_cast<std::uint64_t>(setup_.grid.nx) * element_size(setup_.method.precision);
  const ArrayPart own{{{static_cast<std::uint64_t>(part.first) * row, static_cast<std::uint64_t>(part.rows()) * row}}};
  return write_parts(ranks_, files, own, [this, &part](const TakeBytes& take) {
    download(0, part.rows(), [&take](std::int64_t /*j*/, std::span<const std::byte> values) { take(values); });
  });
}

void IterationLoop::write_pieces(GridField whole, FieldSink& sink) const {
  GridPieces pieces{std::move(whole), {}, [this](RankFiles& files) {
                      orders_.give({Kind::write_piece});
                      write_piece(&files);
                    }};
  const Strips strips(setup_.grid.rows(), ranks_.size());
  for (int rank = 0; rank < ranks_.size(); ++rank) pieces.rows.push_back(piece_rows(strips[rank]));
  sink.grid_in_pieces(pieces);
}

void IterationLoop::write_piece(RankFiles* files) const {
  const std::vector<std::byte> above = first_row_above();
  const Strip& part = setup_.part;
  const ClosedField field(*this);
  const ClosedField::Inside own = [&](const Field::Read& read) {
    sweeps_->iterate().download(*queue_, 0, part.rows(),
                                [&](std::int64_t j, std::span<const std::byte> row) { read(part.first + j, row); });
    if (!above.empty()) read(part.last, above);
  };
  quoin::write_piece(ranks_, files, field.head(), piece_rows(part),
                     [&](const TakeBytes& take) { field.each_row(part, own, take); });
}

/// Empty where there is none.
std::vector<std::byte> IterationLoop::first_row_above() const {
  const Strips strips(setup_.grid.rows(), ranks_.size());
  const std::size_t bytes = static_cast<std::size_t>(setup_.grid.nx) * element_size(setup_.method.precision);
  std::vector<std::byte> own;
  std::vector<std::byte> row;
  std::vector<Parcel> out;
  std::vector<Parcel> in;
  if (const auto above = strips.above(ranks_.rank())) {
    row.resize(bytes);
    in.push_back({*above, row});
  }
  if (const auto below = strips.below(ranks_.rank())) {
    sweeps_->iterate().download(*queue_, 0, 1, [&own](std::int64_t /*j*/, std::span<const std::byte> first) {
      own.assign(first.begin(), first.end());
    });
    out.push_back({*below, own});
  }
  exchange(ranks_, out, in, shared_tag);
  return row;
}

bool IterationLoop::finite() const {
  orders_.give({Kind::finite});
  return part_is_finite();
}

bool IterationLoop::part_is_finite() const {
  bool all = true;
  const Precision precision = setup_.method.precision;
  download(0, setup_.part.rows(), [&](std::int64_t /*j*/, std::span<const std::byte> row) {
    for (std::size_t i = 0; all && i < static_cast<std::size_t>(setup_.grid.nx); ++i)
      all = std::isfinite(value_at(row, i, precision));
  });
  return least_of(ranks_, all ? 1 : 0) == 1;
}

}  // namespace quoin
