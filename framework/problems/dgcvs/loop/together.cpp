// How the loops of several ranks work together: the orders of the first one, and what passes between them.

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "problems/dgcvs/loop/time_loop.hpp"
#include "quoin/error.hpp"
#include "quoin/precision.hpp"
#include "quoin/ranks.hpp"

namespace quoin {

void TimeLoop::follow() {
  std::vector<Row> unused;
  while (true) {
    const auto [kind, count, of] = orders_.next();
    const auto many = static_cast<std::size_t>(count);
    switch (kind) {
      case StepOrder::Kind::step:
        unused.clear();
        step_to(count, unused);
        break;
      case StepOrder::Kind::start: {
        std::vector<double> kept(many);
        share_bytes(ranks_, std::as_writable_bytes(std::span(kept)));
        start_part(kept);
        break;
      }
      case StepOrder::Kind::resume:
        resume_part(share_value(ranks_, DgState()));
        break;
      case StepOrder::Kind::take: {
        std::vector<std::byte> whole(row_bytes(of));
        take_part(of, count, whole, 1.0);
        break;
      }
      case StepOrder::Kind::send:
        (void)coefficients_of_ranks(of, count);
        break;
      case StepOrder::Kind::write:
        (void)write_part(of, nullptr);
        break;
      case StepOrder::Kind::write_piece: {
        const ElementPiece piece = own_piece(of);
        give_values(piece, {});
        (void)write_piece(ranks_, nullptr, nullptr, piece.frame);
        break;
      }
      case StepOrder::Kind::sample: {
        std::vector<std::int64_t> cells(many);
        share_bytes(ranks_, std::as_writable_bytes(std::span(cells)));
        (void)sample_part(cells);
        break;
      }
      case StepOrder::Kind::finite:
        (void)part_is_finite();
        break;
      case StepOrder::Kind::end:
        return;
    }
  }
}

void TimeLoop::start_from(std::vector<double> kept) {
  orders_.give({StepOrder::Kind::start, static_cast<std::int64_t>(kept.size())});
  share_bytes(ranks_, std::as_writable_bytes(std::span(kept)));
  start_part(kept);
}

void TimeLoop::start_part(const std::vector<double>& kept) {
  const Case& the_case = setup_.the_case();
  const Solution all(setup_, EntityKind::cells, cells_, kept, 0, 0.0, state_.pace.dt / 2);
  plan(prospect_of(setup_, ranks_, [&](std::int64_t cell, Point point) {
    const State state = all.sample(cell, point);
    if (const std::string objection = setup_.law.objection(state); !objection.empty())
      throw the_case.error_at("problem.initial.from", objection + " at " + describe(point));
    return state;
  }));
  start(kept);
}

void TimeLoop::resume(DgState state) {
  orders_.give({StepOrder::Kind::resume});
  if (ranks_.size() > 1) state = share_value(ranks_, state);
  resume_part(state);
}

void TimeLoop::resume_part(const DgState& state) {
  const double dt = state_.pace.dt;
  state_ = state;
  if (state_.pace.dt != dt && setup_.method.solver == Solver::matrices) make_levels();
}

void TimeLoop::take(EntityKind kind, std::int64_t n, std::vector<std::byte> whole, double ratio) {
  orders_.give({StepOrder::Kind::take, n, kind});
  take_part(kind, n, whole, ratio);
}

/// `whole` and `ratio` are those of the first rank.
void TimeLoop::take_part(EntityKind kind, std::int64_t n, std::vector<std::byte>& whole, double ratio) {
  if (ranks_.size() > 1) {
    share_bytes(ranks_, whole);
    ratio = share_value(ranks_, ratio);
  }
  levels_->of(kind).take_row(*queue_, n, whole, ratio);
}

std::size_t TimeLoop::row_bytes(EntityKind kind) const {
  return static_cast<std::size_t>(lanes(kind).stride) * element_size(setup_.method.precision);
}

std::vector<std::byte> TimeLoop::coefficients(EntityKind kind, std::int64_t n) const {
  if (ranks_.size() == 1) return levels_->of(kind).row(*queue_, n);
  orders_.give({StepOrder::Kind::send, n, kind});
  return levels_->of(kind).whole_row(coefficients_of_ranks(kind, n));
}

/// On the first rank, one rank's behind the other's.
std::vector<std::byte> TimeLoop::coefficients_of_ranks(EntityKind kind, std::int64_t n) const {
  return gather(ranks_, levels_->of(kind).own_row(*queue_, n));
}

ElementPiece TimeLoop::own_piece(EntityKind kind) const {
  return piece_of(own_solution(kind), levels_->of(kind).lanes().part);
}

void TimeLoop::write_pieces(EntityKind kind, FieldSink& sink) const {
  orders_.give({StepOrder::Kind::write_piece, 0, kind});
  const ElementPiece piece = own_piece(kind);
  ElementPieces pieces;
  pieces.frame.level = piece.frame.level;
  pieces.frame.step = piece.frame.step;
  pieces.frame.time = piece.frame.time;
  pieces.frame.order = piece.frame.order;
  for (const NodeValues& field : piece.frame.fields) pieces.frame.fields.push_back({field.name, {}});
  pieces.values = [&](const TakeBytes& take) { give_values(piece, take); };
  pieces.write = [&](RankFiles& pictures, RankFiles& programs) {
    return write_piece(ranks_, &pictures, &programs, piece.frame);
  };
  sink.elements_in_pieces(pieces);
}

/// To the first rank, field by field: of the entities inside of all ranks, then of those on the boundary, as they are
/// numbered.
void TimeLoop::give_values(const ElementPiece& piece, const TakeBytes& take) const {
  for (const NodeValues& field : piece.frame.fields) {
    const auto values = std::as_bytes(std::span(field.values));
    const std::size_t inside = piece.inside_nodes * sizeof(double);
    for (const std::span<const std::byte> half : {values.first(inside), values.subspan(inside)}) {
      std::span<const std::byte> left = half;
      if (!gather_in_order(
              ranks_, [&left] { return std::exchange(left, {}); }, take))
        throw Error(ErrorKind::bug, "the values of another rank are missing");
    }
  }
}

std::vector<WrittenPart> TimeLoop::write(EntityKind kind, RankFiles& files) const {
  orders_.give({StepOrder::Kind::write, 0, kind});
  return write_part(kind, &files);
}

std::vector<WrittenPart> TimeLoop::write_part(EntityKind kind, RankFiles* files) const {
  const DeviceLevel& level = levels_->of(kind);
  const ArrayPart own{level.own_ranges(), static_cast<std::uint64_t>(setup_.unknowns()), row_bytes(kind)};
  return write_parts(ranks_, files, own, [&](const TakeBytes& take) {
    for (std::int64_t n = 0; n < setup_.unknowns(); ++n) take(level.own_row(*queue_, n));
  });
}

std::vector<double> TimeLoop::spatial_coefficients(std::span<const std::int64_t> cells) const {
  orders_.give({StepOrder::Kind::sample, static_cast<std::int64_t>(cells.size())});
  std::vector<std::int64_t> named(cells.begin(), cells.end());
  share_bytes(ranks_, std::as_writable_bytes(std::span(named)));
  return sample_part(named);
}

/// Each rank knows what the others send, cell by cell in their order.
std::vector<double> TimeLoop::sample_part(std::span<const std::int64_t> cells) const {
  if (ranks_.size() == 1) return levels_->cells.spatial_coefficients(*queue_, cells);
  const auto owner = [&](std::int64_t cell) { return partition_.owner(EntityKind::cells, cell); };
  std::vector<std::int64_t> own;
  std::ranges::copy_if(cells, std::back_inserter(own), [&](std::int64_t cell) { return owner(cell) == ranks_.rank(); });
  const std::vector<double> mine = levels_->cells.spatial_coefficients(*queue_, own);
  const std::vector<std::byte> sent = gather(ranks_, std::as_bytes(std::span(mine)));
  if (ranks_.rank() != 0) return {};
  const std::size_t rows = setup_.law.size() * static_cast<std::size_t>(dgcvs_space(setup_.method.order));
  std::vector<double> all(rows * cells.size());
  std::size_t next = 0;
  for (int rank = 0; rank < ranks_.size(); ++rank) {
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t k = 0; k < cells.size(); ++k) {
        if (owner(cells[k]) != rank) continue;
        std::memcpy(&all[row * cells.size() + k], sent.data() + next, sizeof(double));
        next += sizeof(double);
      }
    }
  }
  return all;
}

bool TimeLoop::finite() const {
  orders_.give({StepOrder::Kind::finite});
  return part_is_finite();
}

bool TimeLoop::part_is_finite() const { return least_of(ranks_, levels_->finite(*queue_) ? 1 : 0) == 1; }

}  // namespace quoin
