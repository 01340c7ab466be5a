// How the loops of several ranks work together: the orders of the first one, and what the others do.

#include <algorithm>

#include "problems/linear_system/loop/shared_reader.hpp"
#include "problems/linear_system/loop/solve_loop.hpp"
#include "quoin/ranks.hpp"

namespace quoin {
namespace {

/// What a rank other than the first has to write, the first has written.
class NoWriter final : public CheckpointWriter {
  void put(const std::string& /*name*/, std::span<const std::byte> /*bytes*/) override {}
};

}  // namespace

void SharedReader::get(const std::string& name, std::span<std::byte> bytes) {
  if (reader_ != nullptr) reader_->get(name, bytes);
  if (ranks_.size() == 1) return;
  for (std::size_t first = 0; first < bytes.size(); first += gather_chunk)
    ranks_.broadcast(bytes.subspan(first, std::min(gather_chunk, bytes.size() - first)), 0);
}

SolveLoop::~SolveLoop() {
  try {
    give({SolveOrder::Kind::end});
  } catch (const std::exception&) {  // the others have failed: they know, or are no more
  }
}

void SolveLoop::give(const SolveOrder& order) const {
  if (ranks_.size() > 1 && ranks_.rank() == 0) (void)share_value(ranks_, order);
}

void SolveLoop::follow() {
  NoWriter nothing;
  SharedReader shared(ranks_, nullptr);
  std::vector<Row> unused;
  while (true) {
    const SolveOrder order = share_value(ranks_, SolveOrder());
    switch (order.kind) {
      case SolveOrder::Kind::iterate:
        unused.clear();
        iterate(order.count, unused);
        break;
      case SolveOrder::Kind::solution:
        (void)solution();
        break;
      case SolveOrder::Kind::save:
        save_part(nothing);
        break;
      case SolveOrder::Kind::restore:
        restore_part(shared);
        break;
      case SolveOrder::Kind::end:
        return;
    }
  }
}

}  // namespace quoin
