#include "quoin/tree_digest.hpp"

#include <type_traits>

#include "quoin/error.hpp"

namespace quoin {

static_assert(std::is_trivially_copyable_v<TreeDigest<double>> && std::is_trivially_copyable_v<TreeDigest<float>>);

/// A complete group joins the one before it where both are halves of a larger one.
template <class T>
void TreeDigest<T>::push(T group, int level) {
  std::int64_t begin = last_;
  last_ += std::int64_t{1} << level;
  while (count_ > 0) {
    const auto before = static_cast<std::size_t>(count_ - 1);
    const std::int64_t size = std::int64_t{1} << level;
    if (levels_[before] != level || begin % (2 * size) == 0) break;
    group = groups_[before] + group;
    begin -= size;
    ++level;
    --count_;
  }
  groups_[static_cast<std::size_t>(count_)] = group;
  levels_[static_cast<std::size_t>(count_)] = static_cast<std::uint8_t>(level);
  ++count_;
}

template <class T>
void TreeDigest<T>::append(const TreeDigest& next) {
  if (next.count_ == 0) return;
  if (count_ == 0) {
    *this = next;
    return;
  }
  if (next.first_ != last_) throw Error(ErrorKind::bug, "sums are joined that do not follow one another");
  for (std::int64_t k = 0; k < next.count_; ++k)
    push(next.groups_[static_cast<std::size_t>(k)], next.levels_[static_cast<std::size_t>(k)]);
}

template <class T>
T TreeDigest<T>::sum() const {
  if (first_ != 0 && count_ > 0) throw Error(ErrorKind::bug, "the sum of a part is not the sum of the whole");
  T sum = 0;
  for (std::int64_t k = count_; k > 0; --k) sum = groups_[static_cast<std::size_t>(k - 1)] + sum;
  return sum;
}

template class TreeDigest<float>;
template class TreeDigest<double>;

}  // namespace quoin
