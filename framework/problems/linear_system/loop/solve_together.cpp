// How the loops of several ranks work together: the orders of the first one, and what the others do.

#include "problems/linear_system/loop/shared_reader.hpp"
#include "problems/linear_system/loop/solve_loop.hpp"
#include "quoin/ranks.hpp"

namespace quoin {

void SharedReader::get_part(const std::string& name, std::size_t total, std::size_t offset,
                            std::span<std::byte> bytes) {
  if (reader_ != nullptr) reader_->get_part(name, total, offset, bytes);
  share_bytes(ranks_, bytes);
}

void SolveLoop::follow() {
  SharedReader shared(ranks_, nullptr);
  std::vector<Row> unused;
  while (true) {
    const SolveOrder order = orders_.next();
    switch (order.kind) {
      case SolveOrder::Kind::iterate:
        unused.clear();
        iterate(order.count, unused);
        break;
      case SolveOrder::Kind::solution:
        (void)solution();
        break;
      case SolveOrder::Kind::array:
        (void)solver_->write_array(order.count, nullptr);
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
