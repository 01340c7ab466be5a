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
  for (StepOrder order = orders_.next();; order = orders_.next()) {
    if (order.kind == StepOrder::Kind::frame) order = follow_frame(order.of);
    const auto [kind, count, of] = order;
    const auto many = static_cast<std::size_t>(count);
    switch (kind) {
      case StepOrder::Kind::step:
        unused.clear();
        step_to(count, unused);
        break;
      case StepOrder::Kind::start: {
        std::vector<double> kept(many);
        share_bytes(ranks_, std::as_writable_bytes(std::span(kept)));
        start(kept);
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
      case StepOrder::Kind::errors: {
        ErrorSums of_the_first;
        add_errors(of_the_first);
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
      case StepOrder::Kind::frame:
      case StepOrder::Kind::give:
      case StepOrder::Kind::write_piece:
      case StepOrder::Kind::end_frame:
        break;  // of frames
      case StepOrder::Kind::end:
        return;
    }
  }
}

void TimeLoop::start_from(std::vector<double> kept) {
  orders_.give({StepOrder::Kind::start, static_cast<std::int64_t>(kept.size())});
  share_bytes(ranks_, std::as_writable_bytes(std::span(kept)));
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
  ahead_to_ = state_.steps;
  recorded_.clear();
  if (state_.pace.dt != dt) levels_->set_half_step(*queue_, state_.pace.dt / 2);
  record_steps();
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
  const Solution own = own_solution(kind);
  return Elements(own, levels_->of(kind).lanes().part).piece();
}

/// What is told of all ranks' pieces together. Collective.
ElementsOfRanks TimeLoop::frame_of_all(const ElementPiece& piece) const {
  const auto total = [this](auto own) { return total_of(ranks_, static_cast<std::int64_t>(own)); };
  ElementsOfRanks all{without_values(piece.frame), total(piece.frame.shapes.size()), total(piece.frame.nodes.size())};
  for (NamedArray& array : all.frame.data)
    if (piece.part_of(array.name) != piece.arrays.end()) array.shape.front() = total(array.shape.front());
  return all;
}

void TimeLoop::write_frame(EntityKind kind, FieldSink& sink) const {
  if (ranks_.size() == 1 && !sink.in_pieces()) {
    const Solution own = own_solution(kind);
    const Elements elements(own, levels_->of(kind).lanes().part);
    look_for_fingerprint();  // while the disk is waited for
    ElementsOfRanks frame = elements.by_array();
    frame.mesh_stays = setup_.method.frames.has_value();
    return sink.elements_of_ranks(frame);
  }
  orders_.give({StepOrder::Kind::frame, 0, kind});
  ElementPiece piece = own_piece(kind);
  ElementsOfRanks elements = frame_of_all(piece);
  elements.mesh_stays = setup_.method.frames.has_value();
  elements.give = [&](const std::string& name, const TakeBytes& take) {
    const auto found = piece.part_of(name);
    if (found == piece.arrays.end()) return take(bytes_of(piece.frame, name));  // the same on all
    const auto array = found - piece.arrays.begin();
    orders_.give({StepOrder::Kind::give, array});
    give_array(piece, static_cast<std::size_t>(array), take);
  };
  elements.write = [&](RankFiles& pictures, RankFiles& programs) {
    orders_.give({StepOrder::Kind::write_piece});
    stand_alone(piece);
    return write_piece(ranks_, &pictures, &programs, piece.frame);
  };
  sink.elements_of_ranks(elements);
  orders_.give({StepOrder::Kind::end_frame});
}

/// Until an order that is not of the frame, or what comes behind it.
StepOrder TimeLoop::follow_frame(EntityKind kind) const {
  ElementPiece piece = own_piece(kind);
  (void)frame_of_all(piece);
  for (;;) {
    const StepOrder order = orders_.next();
    if (order.kind == StepOrder::Kind::give) {
      give_array(piece, static_cast<std::size_t>(order.count), {});
    } else if (order.kind == StepOrder::Kind::write_piece) {
      stand_alone(piece);
      (void)write_piece(ranks_, nullptr, nullptr, piece.frame);
    } else {
      return order;
    }
  }
}

/// To the first rank: the bytes of the entities inside of all ranks, which come first, then of those on the boundary,
/// as they are numbered; in pieces of whole items of so many bytes.
void TimeLoop::give_to_first(std::span<const std::byte> bytes, std::size_t inside, std::size_t item,
                             const TakeBytes& take) const {
  constexpr std::size_t at_once = 1 << 22;  // bytes, about
  for (std::span<const std::byte> left : {bytes.first(inside), bytes.subspan(inside)})
    if (!gather_in_order(
            ranks_, [&left] { return std::exchange(left, {}); }, take, at_once / item * item) &&
        ranks_.rank() == 0)
      throw Error(ErrorKind::bug, "what another rank has is missing");
}

void TimeLoop::give_array(const ElementPiece& piece, std::size_t array, const TakeBytes& take) const {
  const auto& [name, inside] = piece.arrays.at(array);
  give_to_first(bytes_of(piece.frame, name), inside, sizeof(Point), take);
}

Errors TimeLoop::errors() const {
  orders_.give({StepOrder::Kind::errors});
  ErrorSums sums;
  add_errors(sums);
  return sums.errors();
}

/// On the first rank those of all cells, as they are numbered.
void TimeLoop::add_errors(ErrorSums& sums) const {
  const EntityPart& part = levels_->cells.lanes().part;
  const std::vector<CellErrors> own = cell_errors(own_solution(EntityKind::cells), part);
  give_to_first(std::as_bytes(std::span(own)), static_cast<std::size_t>(part.inside.count()) * sizeof(CellErrors),
                sizeof(CellErrors), [&](std::span<const std::byte> piece) { sums.add(piece); });
}

std::vector<WrittenPart> TimeLoop::write(EntityKind kind, RankFiles& files) const {
  orders_.give({StepOrder::Kind::write, 0, kind});
  return write_part(kind, &files);
}

std::vector<WrittenPart> TimeLoop::write_part(EntityKind kind, RankFiles* files) const {
  const DeviceLevel& level = levels_->of(kind);
  const ArrayPart own{level.own_ranges(), static_cast<std::uint64_t>(setup_.values()), row_bytes(kind)};
  return write_parts(ranks_, files, own, [&](const TakeBytes& take) {
    std::vector<std::byte> room;
    for (std::int64_t n = 0; n < setup_.values(); ++n) level.give_own_row(*queue_, n, room, take);
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
  const std::size_t rows = setup_.sampled_rows();
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
