#pragma once

// Visits points in an order that no kernel may depend on.

#include <cstdint>
#include <numeric>

#include "kernels/launchers.hpp"
#include "quoin/catalogue.hpp"

namespace quoin::check {

enum class Order { forward, reversed, shuffled };

/// A permutation of 0 .. count - 1.
class Permutation {
 public:
  Permutation(Order order, std::int64_t count, std::uint64_t seed) : order_(order), count_(count) {
    // k -> (k * stride + start) mod count visits all when the stride has no factor in common with count.
    stride_ = count / 2 + static_cast<std::int64_t>(seed % 1009) + 1;
    while (std::gcd(stride_, count_) != 1) ++stride_;
    stride_ %= count_;
    start_ = static_cast<std::int64_t>(seed * 0x9e3779b97f4a7c15U >> 33U) % count_;
  }
  [[nodiscard]] std::int64_t operator()(std::int64_t k) const {
    if (order_ == Order::forward) return k;
    if (order_ == Order::reversed) return count_ - 1 - k;
    return (k * stride_ + start_) % count_;
  }

 private:
  Order order_;
  std::int64_t count_;
  std::int64_t stride_;
  std::int64_t start_;
};

struct OrderedSkeleton {
  using Range = kernels::Range;
  using Index = kernels::qn_index;

  Order order;
  std::uint64_t seed;  ///< another one for each launch

  template <class Visit>
  void every_point(const Range& range, const Visit& visit) const {
    const Index columns = range.i1 - range.i0;
    const Index count = columns * (range.j1 - range.j0);
    if (count <= 0) return;
    const Permutation place(order, count, seed);
    for (Index k = 0; k < count; ++k) visit(range.i0 + place(k) % columns, range.j0 + place(k) / columns);
  }

  template <class T, class Point>
  void map(const Range& range, const Index* control, const Point& point) const {
    if (control != nullptr && control[0] != 0) return;
    every_point(range, [&](Index i, Index j) { point.template at<T>(i, j); });
  }

  template <class T, class Point>
  void map_blocks(const Range& range, kernels::View<T> partials, const Index* control, const Point& point) const {
    if (control != nullptr && control[0] != 0) return;
    const Range blocks{0, (range.i1 - range.i0 + block_columns - 1) / block_columns, 0,
                       (range.j1 - range.j0 + block_rows - 1) / block_rows};
    every_point(blocks, [&](Index bx, Index by) {
      const Index i0 = range.i0 + bx * block_columns;
      const Index j0 = range.j0 + by * block_rows;
      const Range block{i0, std::min(i0 + block_columns, range.i1), j0, std::min(j0 + block_rows, range.j1)};
      // Points come in any order; their values are added in the order of the tree.
      T values[block_rows][block_columns] = {};
      every_point(block, [&](Index i, Index j) { values[j - j0][i - i0] = point.template at<T>(i, j); });
      T pairs[block_columns / 2] = {};
      for (const auto& row : values) {
        for (Index p = 0; p < block_columns / 2; ++p) pairs[p] += row[2 * p] + row[2 * p + 1];
      }
      *partials.at(bx, by) = kernels::Bodies<T, T>::tree_across(pairs);
    });
  }

  template <class T, class Point>
  void map_entities(const Range& range, const Point& point) const {
    every_point({range.i0, range.i1, 0, 1}, [&](Index e, Index) { point.template at<T>(e); });
  }

  template <class T, class Point>
  void reduce(const Range& range, kernels::View<const T> lists, const Point& point) const {
    if (point.stopped()) return;
    every_point({0, 1, range.j0, range.j1}, [&](Index, Index j) {
      point(j - range.j0, kernels::Bodies<T, T>::tree_sum(lists.at(range.i0, j), range.i1 - range.i0));
    });
  }
};

}  // namespace quoin::check
