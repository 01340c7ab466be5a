#include "problems/dgcvs/scheme/ghost_exchange.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/portions.hpp"

namespace quoin {
namespace {

/// Of the messages between ranks.
constexpr int ghost_tag = 1;
/// Lanes between two that are copied to the host with them rather than by a launch and a copy of their own.
constexpr std::int64_t worthwhile_gap = 128;

}  // namespace

GhostExchange::GhostExchange(const std::shared_ptr<Executor>& executor, const EntityLanes& lanes, std::int64_t rows,
                             Precision precision)
    : stride_(lanes.stride), rows_(rows), size_(element_size(precision)) {
  std::int64_t longest = 0;
  std::int64_t ghost = lanes.first_ghost;
  for (const EntityPart::Peer& each : lanes.part.peers) {
    const auto count = static_cast<std::int64_t>(each.in.size());
    Peer& peer = peers_.emplace_back(Peer{each.rank, {}, {}, ghost, count});
    ghost += count;
    longest = std::max(longest, count);
    for (const std::int64_t entity : each.out) peer.out.push_back(lanes.of(entity));
    for (const NumberRun& places : runs_of(peer.out, worthwhile_gap)) {
      const std::int64_t length = peer.out[places.last - 1] + 1 - peer.out[places.first];
      peer.runs.push_back({places, box_of(peer.out[places.first], length)});
      longest = std::max(longest, length);
    }
  }
  if (peers_.empty()) return;
  const std::size_t entity = static_cast<std::size_t>(rows) * size_;
  std::size_t all = 0;
  for (const Peer& peer : peers_) all += (peer.out.size() + static_cast<std::size_t>(peer.count)) * entity;
  messages_ = HostBytes(executor, all);
  Portions room{messages_.all()};
  for (const Peer& peer : peers_) {
    out_.push_back({peer.rank, room.next(peer.out.size() * entity)});
    in_.push_back({peer.rank, room.next(static_cast<std::size_t>(peer.count) * entity)});
  }
  on_host_ = HostBytes(executor, static_cast<std::size_t>(longest) * entity);
  pack_ = executor->kernel({"halo_pack", precision, {}});
  unpack_ = executor->kernel({"halo_unpack", precision, {}});
  line_ = Buffer<std::byte>(executor, on_host_.all().size());
}

std::vector<std::int64_t> GhostExchange::read_lanes() const {
  std::vector<std::int64_t> lanes;
  for (const Peer& peer : peers_) lanes.insert(lanes.end(), peer.out.begin(), peer.out.end());
  std::ranges::sort(lanes);
  return lanes;
}

void GhostExchange::take(Queue& queue, Buffer<std::byte>& own) {
  for (std::size_t k = 0; k < peers_.size(); ++k) pack(peers_[k], queue, own, out_[k].bytes);
}

void GhostExchange::pass(Queue& queue, Communicator& ranks, Buffer<std::byte>& own) {
  if (peers_.empty()) return;
  exchange(ranks, out_, in_, ghost_tag);
  for (std::size_t k = 0; k < peers_.size(); ++k) {
    const Peer& peer = peers_[k];
    if (peer.count == 0) continue;
    line_.upload(queue, in_[k].bytes);
    unpack_->launch(queue, box_of(peer.in, peer.count),
                    std::array{Argument::buffer(line_.memory()), Argument::buffer(own.memory(), 0, stride_)});
  }
}

/// Coefficient after coefficient, each of all lanes that the peer reads.
void GhostExchange::pack(const Peer& peer, Queue& queue, Buffer<std::byte>& own, std::span<std::byte> bytes) {
  const std::size_t count = peer.out.size();
  for (const Run& run : peer.runs) {
    pack_->launch(queue, run.box,
                  std::array{Argument::buffer(own.memory(), 0, stride_), Argument::buffer(line_.memory())});
    const auto length = static_cast<std::size_t>(run.box.extent(0));
    if (peer.runs.size() == 1 && length == count) {  // as the peer reads them
      line_.download(queue, bytes);
      return;
    }
    const std::span<std::byte> line = on_host_.all().first(length * static_cast<std::size_t>(rows_) * size_);
    line_.download(queue, line);
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows_); ++row) {
      for (std::size_t k = run.places.first; k < run.places.last; ++k) {
        const auto lane = static_cast<std::size_t>(peer.out[k] - run.box.lower[0]);
        std::memcpy(bytes.data() + (row * count + k) * size_, line.data() + (row * length + lane) * size_, size_);
      }
    }
  }
}

}  // namespace quoin
