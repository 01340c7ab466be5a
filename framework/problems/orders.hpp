#pragma once

#include <exception>

#include "quoin/ranks.hpp"

namespace quoin {

/// What the first rank has the others do along with it. Order() is that of the end.
template <class Order>
class Orders {
 public:
  explicit Orders(Communicator& ranks) : ranks_(ranks) {}
  /// On the first rank; on others nothing, for they do what they were told.
  void give(const Order& order) const {
    if (ranks_.size() > 1 && ranks_.rank() == 0) (void)share_value(ranks_, order);
  }
  /// On the others.
  [[nodiscard]] Order next() const { return share_value(ranks_, Order()); }
  void end() const noexcept {
    try {
      give(Order());
    } catch (const std::exception&) {  // the others have failed: they know, or are no more
    }
  }

 private:
  Communicator& ranks_;
};

}  // namespace quoin
