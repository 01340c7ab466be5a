#include <algorithm>
#include <utility>
#include <vector>

#include "quoin/error.hpp"
#include "quoin/ranks.hpp"
#include "ranks/address.hpp"

namespace quoin {
namespace {

// Rank 0 asks with one word; the answer is the length of what follows, and that.
constexpr int gather_tag = Communicator::last_tag;
enum class Ask : std::int64_t { next, stop };
constexpr std::int64_t at_its_end = 0;
constexpr std::int64_t cannot_go_on = -1;

template <class T>
void send_word(Communicator& ranks, T word, int to) {
  ranks.wait(*ranks.send(std::as_bytes(std::span(&word, 1)), to, gather_tag));
}

template <class T>
T receive_word(Communicator& ranks, int from) {
  T word{};
  ranks.wait(*ranks.receive(std::as_writable_bytes(std::span(&word, 1)), from, gather_tag));
  return word;
}

/// Those of a source, cut to chunks.
class Chunks {
 public:
  Chunks(const RowSource& rows, std::size_t most) : rows_(rows), most_(most) {}
  std::span<const std::byte> next() {
    if (left_.empty()) left_ = rows_();
    const std::span<const std::byte> chunk = left_.first(std::min(most_, left_.size()));
    left_ = left_.subspan(chunk.size());
    return chunk;
  }

 private:
  const RowSource& rows_;
  std::size_t most_;
  std::span<const std::byte> left_;  ///< of what the source gave last
};

/// A rank that is not 0.
bool give(Communicator& ranks, Chunks chunks) {
  while (receive_word<Ask>(ranks, 0) == Ask::next) {
    std::span<const std::byte> chunk;
    try {
      chunk = chunks.next();
    } catch (...) {
      send_word(ranks, cannot_go_on, 0);
      throw;
    }
    send_word(ranks, static_cast<std::int64_t>(chunk.size()), 0);
    if (chunk.empty()) return true;
    ranks.wait(*ranks.send(chunk, 0, gather_tag));
  }
  return false;
}

void stop_from(Communicator& ranks, int first) {
  for (int rank = first; rank < ranks.size(); ++rank) send_word(ranks, Ask::stop, rank);
}

/// Rank 0. Where it cannot go on by itself, all who wait to be asked are told; where the communicator fails, nobody
/// could be.
class Gathering {
 public:
  Gathering(Communicator& ranks, Chunks own, const RowSink& sink, std::size_t most)
      : ranks_(ranks), own_(own), sink_(sink), most_(most) {}

  bool all() {
    while (put_own()) {
    }
    for (int rank = 1; rank < ranks_.size(); ++rank) {
      if (take_from(rank)) continue;
      stop_from(ranks_, rank + 1);
      return false;
    }
    return true;
  }

 private:
  bool put_own() {
    try {
      const std::span<const std::byte> chunk = own_.next();
      if (!chunk.empty()) sink_(chunk);
      return !chunk.empty();
    } catch (...) {
      stop_from(ranks_, 1);
      throw;
    }
  }

  /// Whether the rank gives everything.
  bool take_from(int rank) {
    for (;;) {
      send_word(ranks_, Ask::next, rank);
      const auto length = receive_word<std::int64_t>(ranks_, rank);
      if (length == at_its_end) return true;
      if (length == cannot_go_on) return false;
      if (length < 0 || static_cast<std::uint64_t>(length) > most_)
        throw Error(ErrorKind::bug, "rank " + std::to_string(rank) + " gives more than a chunk", place_of(ranks_));
      memory_.resize(static_cast<std::size_t>(length));
      ranks_.wait(*ranks_.receive(memory_, rank, gather_tag));
      try {
        sink_(memory_);
      } catch (...) {
        stop_from(ranks_, rank);
        throw;
      }
    }
  }

  Communicator& ranks_;
  Chunks own_;
  const RowSink& sink_;
  std::size_t most_;
  std::vector<std::byte> memory_;
};

}  // namespace

bool gather_in_order(Communicator& ranks, const RowSource& rows, const RowSink& sink, std::size_t chunk) {
  if (chunk == 0) throw Error(ErrorKind::bug, "chunks of no bytes", place_of(ranks));
  const Chunks own(rows, chunk);
  return ranks.rank() == 0 ? Gathering(ranks, own, sink, chunk).all() : give(ranks, own);
}

std::vector<std::byte> gather(Communicator& ranks, std::span<const std::byte> own) {
  std::span<const std::byte> left = own;
  const RowSource once = [&left] { return std::exchange(left, {}); };
  std::vector<std::byte> all;
  const RowSink add = [&all](std::span<const std::byte> bytes) { all.insert(all.end(), bytes.begin(), bytes.end()); };
  if (!gather_in_order(ranks, once, add)) all.clear();
  return all;
}

}  // namespace quoin
