#include "problems/linear_system/scheme/part_matrix.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "problems/linear_system/scheme/tags.hpp"

namespace quoin {
namespace {

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
    Sending to{std::move(peer), {}};
    const std::vector<std::int64_t>& out = to.peer.out;
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (k == 0 || out[k] - out[k - 1] > worthwhile_gap) to.runs.push_back({k, k});
      to.runs.back().last = k + 1;
    }
    sending_.push_back(std::move(to));
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
  std::vector<std::vector<std::byte>> in;
  std::vector<std::vector<std::byte>> out;
  std::vector<std::unique_ptr<Communicator::Transfer>> received;
  std::vector<std::unique_ptr<Communicator::Transfer>> sent;
  for (const auto& [peer, runs] : sending_) {
    in.emplace_back(static_cast<std::size_t>(peer.count) * size_);
    received.push_back(peer.count > 0 ? ranks_.receive(in.back(), peer.rank, element_tag) : nullptr);
  }
  for (const Sending& to : sending_) {
    if (to.runs.empty()) continue;
    out.push_back(elements_for(to, queue, x));
    sent.push_back(ranks_.send(out.back(), to.peer.rank, element_tag));
  }
  for (std::size_t k = 0; k < in.size(); ++k) {
    if (received[k] == nullptr) continue;
    ranks_.wait(*received[k]);
    const VectorPlace all = with_ghosts(x);
    queue.copy_in(*all.memory, all.offset + static_cast<std::size_t>(sending_[k].peer.in) * size_, in[k]);
  }
  for (const auto& transfer : sent) ranks_.wait(*transfer);
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
