#include "quoin/tree_digest.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <type_traits>

#include "quoin/error.hpp"

namespace quoin {
namespace {

/// The sizes of the groups of [first, last): up to the number in it that the most powers of two divide they rise, from
/// there they fall, and both are the bits of what is covered.
struct Groups {
  Groups(std::int64_t first, std::int64_t last) {
    if (first == last) return;
    const auto a = static_cast<std::uint64_t>(first);
    const auto b = static_cast<std::uint64_t>(last);
    const int highest = 63 - std::countl_zero(a ^ b);
    const std::uint64_t peak = b >> highest << highest;
    rising = peak - a;
    falling = b - peak;
  }
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(std::popcount(rising)) + static_cast<std::size_t>(std::popcount(falling));
  }
  /// Calls take(level) from the first to the last.
  template <class Take>
  void each(const Take& take) const {
    for (std::uint64_t left = rising; left != 0; left &= left - 1) take(std::countr_zero(left));
    for (std::uint64_t left = falling; left != 0; left -= std::bit_floor(left)) take(63 - std::countl_zero(left));
  }

  std::uint64_t rising = 0;
  std::uint64_t falling = 0;
};

}  // namespace

std::vector<int> levels_of_groups(std::int64_t first, std::int64_t last) {
  std::vector<int> levels;
  Groups(first, last).each([&](int level) { levels.push_back(level); });
  return levels;
}

template <class T>
void TreeDigest<T>::add_groups(std::span<const T> sums, int level) {
  constexpr int deepest = 11;
  std::array<T, std::size_t{1} << (deepest - 1)> wider;
  while (!sums.empty()) {
    const int fits = static_cast<int>(std::bit_width(sums.size())) - 1;
    const int begins = last_ == 0 ? deepest : std::countr_zero(static_cast<std::uint64_t>(last_)) - level;
    const int more = std::clamp(begins, 0, std::min(fits, deepest));
    const T* from = sums.data();
    for (std::size_t width = (std::size_t{1} << more) / 2; width > 0; width /= 2) {
      for (std::size_t k = 0; k < width; ++k) wider[k] = from[2 * k] + from[2 * k + 1];
      from = wider.data();
    }
    add_group(*from, level + more);
    sums = sums.subspan(std::size_t{1} << more);
  }
}

template <class T>
void TreeDigest<T>::add_group(T sum, int level) {
  static_assert(std::is_trivially_copyable_v<TreeDigest>);
  std::int64_t begin = last_;
  std::int64_t leaves = std::int64_t{1} << level;
  if (first_ < 0 || leaves > most_leaves - begin || begin % leaves != 0)
    throw Error(ErrorKind::bug,
                "no tree has a group of " + std::to_string(leaves) + " leaves from leaf " + std::to_string(begin));
  std::size_t count = Groups(first_, last_).count();
  last_ += leaves;
  // A right half has its left half before it, unless that begins before the digest.
  for (; (begin & leaves) != 0 && begin - leaves >= first_; leaves *= 2) {
    sum = groups_[--count] + sum;
    groups_[count] = 0;
    begin -= leaves;
  }
  groups_[count] = sum;
}

template <class T>
void TreeDigest<T>::append(const TreeDigest& next) {
  if (next.first_ == next.last_) return;
  if (first_ == last_) {
    *this = next;
    return;
  }
  if (next.first_ != last_)
    throw Error(ErrorKind::bug, "the sum over the leaves from " + std::to_string(next.first_) +
                                    " cannot follow one that ends at " + std::to_string(last_));
  std::size_t k = 0;
  Groups(next.first_, next.last_).each([&](int level) { add_group(next.groups_[k++], level); });
}

template <class T>
T TreeDigest<T>::sum() const {
  if (first_ != last_ && first_ != 0)
    throw Error(ErrorKind::bug, "the sum over the leaves from " + std::to_string(first_) + " lacks those before");
  T sum = 0;
  for (std::size_t k = Groups(first_, last_).count(); k-- > 0;) sum = groups_[k] + sum;
  return sum;
}

template class TreeDigest<float>;
template class TreeDigest<double>;

}  // namespace quoin
