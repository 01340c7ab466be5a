#include "problems/linear_system/scheme/part_matrix.hpp"

#include <algorithm>
#include <utility>

#include "base/portions.hpp"

namespace quoin {
namespace {

/// Of the messages between ranks.
constexpr int element_tag = 1;
/// Elements between two that are copied to the host with them rather than by a copy of its own.
constexpr std::int64_t worthwhile_gap = 512;

}  // namespace

PartMatrix::PartMatrix(const DevicePlace& place, const SparseMatrix& matrix, const Cuts& rows, const Cuts& columns,
                       const Storage& storage, const char* note)
    : ranks_(place.ranks),
      size_(element_size(place.precision)),
      part_(ranks_.size() == 1 ? MatrixPart() : part_of(matrix, rows, columns, ranks_.rank())),
      matrix_(place, ranks_.size() == 1 ? matrix : part_.matrix, storage, note) {
  part_.matrix = {};
  for (MatrixPart::Peer& peer : part_.peers) {
    std::vector<NumberRun> runs = runs_of(peer.out, worthwhile_gap);
    sending_.push_back({std::move(peer), std::move(runs)});
  }
  std::size_t all = 0;
  std::size_t longest = 0;
  for (const Sending& to : sending_) {
    all += to.peer.out.size() + static_cast<std::size_t>(to.peer.count);
    for (const NumberRun& run : to.runs) longest = std::max(longest, length_of(to, run));
  }
  messages_ = HostBytes(place.executor, all * size_);
  run_ = HostBytes(place.executor, longest * size_);
  Portions room{messages_.all()};
  for (const auto& [peer, runs] : sending_) {
    if (!runs.empty()) out_.push_back({peer.rank, room.next(peer.out.size() * size_)});
    if (peer.count > 0) in_.push_back({peer.rank, room.next(static_cast<std::size_t>(peer.count) * size_)});
  }
}

/// Elements from the first to the last.
std::size_t PartMatrix::length_of(const Sending& to, const NumberRun& run) {
  return static_cast<std::size_t>(to.peer.out[run.last - 1] + 1 - to.peer.out[run.first]);
}

void PartMatrix::multiply(Queue& queue, const VectorPlace& x, const VectorPlace& y) {
  fetch_ghosts(queue, x);
  matrix_.multiply(queue, with_ghosts(x), y);
}

bool PartMatrix::multiply(Queue& queue, const VectorPlace& x, const VectorPlace& y, const VectorPlace& v,
                          const Argument& partials, const Argument& control) {
  fetch_ghosts(queue, x);
  if (matrix_.multiply(queue, with_ghosts(x), y, v, partials, control)) return true;
  matrix_.multiply(queue, with_ghosts(x), y);
  return false;
}

VectorPlace PartMatrix::with_ghosts(const VectorPlace& x) const {
  return {x.memory, x.offset - static_cast<std::size_t>(part_.room.front) * size_};
}

void PartMatrix::fetch_ghosts(Queue& queue, const VectorPlace& x) {
  auto out = out_.begin();
  for (const Sending& to : sending_)
    if (!to.runs.empty()) take_elements(to, queue, x, (out++)->bytes);
  exchange(ranks_, out_, in_, element_tag);
  const VectorPlace all = with_ghosts(x);
  auto in = in_.begin();
  for (const auto& [peer, runs] : sending_)
    if (peer.count > 0)
      queue.copy_in(*all.memory, all.offset + static_cast<std::size_t>(peer.in) * size_, (in++)->bytes);
}

void PartMatrix::take_elements(const Sending& to, Queue& queue, const VectorPlace& x, std::span<std::byte> elements) {
  for (const auto& [first, last] : to.runs) {
    const std::int64_t from = to.peer.out[first];
    const std::span<std::byte> run = run_.all().first(length_of(to, {first, last}) * size_);
    queue.copy_out(run, *x.memory, x.offset + static_cast<std::size_t>(from) * size_);
    for (std::size_t k = first; k < last; ++k) {
      const auto element = run.subspan(static_cast<std::size_t>(to.peer.out[k] - from) * size_, size_);
      std::ranges::copy(element, elements.begin() + static_cast<std::ptrdiff_t>(k * size_));
    }
  }
}

}  // namespace quoin
