#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/runs.hpp"
#include "problems/dgcvs/scheme/entities.hpp"
#include "quoin/buffer.hpp"
#include "quoin/communicator.hpp"
#include "quoin/precision.hpp"
#include "quoin/ranks.hpp"

namespace quoin {

/// Brings the polynomials that this rank reads of others into the lanes of its ghosts. Nothing where it is alone.
class GhostExchange {
 public:
  /// `rows`: coefficients of an entity, one behind the other by lanes.stride.
  GhostExchange(const std::shared_ptr<Executor>& executor, const EntityLanes& lanes, std::int64_t rows,
                Precision precision);

  /// Takes what peers read of this rank to the host: it has been computed. `own` is the array of the lanes.
  void take(Queue& queue, Buffer<std::byte>& own);
  /// Passes it on, and puts what comes into the ghosts. All ranks that are peers make the call.
  void pass(Queue& queue, Communicator& ranks, Buffer<std::byte>& own);
  /// The lanes that peers read, ascending, some of them more than once.
  [[nodiscard]] std::vector<std::int64_t> read_lanes() const;

 private:
  struct Run {
    NumberRun places;  ///< of what a rank is sent
    Box box;
  };
  struct Peer {
    int rank;
    std::vector<std::int64_t> out;  ///< lanes
    std::vector<Run> runs;
    std::int64_t in, count;  ///< the first lane of its ghosts, and how many there are
  };
  void pack(const Peer& peer, Queue& queue, Buffer<std::byte>& own, std::span<std::byte> bytes);
  [[nodiscard]] Box box_of(std::int64_t first, std::int64_t count) const {
    return {{first, 0, 0}, {first + count, rows_, 1}, {0, 0, 0}};
  }

  std::int64_t stride_, rows_;
  std::size_t size_;  // of a coefficient
  std::vector<Peer> peers_;
  std::unique_ptr<Kernel> pack_, unpack_;
  Buffer<std::byte> line_;        // of the longest run, or ghosts of a peer
  HostBytes messages_, on_host_;  // the latter a line
  std::vector<Parcel> out_, in_;  // in messages_
};

}  // namespace quoin
