#pragma once

#include "kernels/dialect/cpp.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

/// A list cut into at most `most` segments of a power of two each (the last may be shorter). A segment is a
/// subtree of the pairwise reduction tree, so the tree over the segments' sums is the tree over the list.
struct Segments {
  qn_index length = 1, total, count;
  QN_CALL Segments(qn_index total_, qn_index most) : total(total_) {
    while (length * most < total) length *= 2;
    count = (total + length - 1) / length;
  }
  [[nodiscard]] QN_CALL qn_index begin(qn_index k) const { return k * length; }
  [[nodiscard]] QN_CALL qn_index size(qn_index k) const {
    return total - k * length < length ? total - k * length : length;
  }
};

}  // namespace QN_ISA
}  // namespace quoin::kernels
