#include "problems/linear_system/scheme/part_matrix.hpp"

#include <algorithm>
#include <utility>

#include "quoin/ranks.hpp"

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

void PartMatrix::fetch_ghosts(Queue& queue, const VectorPlace& x) const {
  std::vector<Parcel> out;
  std::vector<Parcel> in;
  std::vector<std::int64_t> places;
  for (const Sending& to : sending_) {
    const MatrixPart::Peer& peer = to.peer;
    if (!to.runs.empty()) out.push_back({peer.rank, elements_for(to, queue, x)});
    if (peer.count == 0) continue;
    in.push_back({peer.rank, std::vector<std::byte>(static_cast<std::size_t>(peer.count) * size_)});
    places.push_back(peer.in);
  }
  exchange(ranks_, out, in, element_tag);
  const VectorPlace all = with_ghosts(x);
  for (std::size_t k = 0; k < in.size(); ++k)
    queue.copy_in(*all.memory, all.offset + static_cast<std::size_t>(places[k]) * size_, in[k].bytes);
}

std::vector<std::byte> PartMatrix::elements_for(const Sending& to, Queue& queue, const VectorPlace& x) const {
  std::vector<std::byte> elements(to.peer.out.size() * size_);
  std::vector<std::byte> run;
  for (const auto& [first, last] : to.runs) {
    const std::int64_t from = to.peer.out[first];
    run.resize(static_cast<std::size_t>(to.peer.out[last - 1] + 1 - from) * size_);
    queue.copy_out(run, *x.memory, x.offset + static_cast<std::size_t>(from) * size_);
    for (std::size_t k = first; k < last; ++k) {
      const auto element = std::span(run).subspan(static_cast<std::size_t>(to.peer.out[k] - from) * size_, size_);
      std::ranges::copy(element, elements.begin() + static_cast<std::ptrdiff_t>(k * size_));
    }
  }
  return elements;
}

}  // namespace quoin
