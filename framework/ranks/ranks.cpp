#include "quoin/ranks.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace quoin {
namespace {

// A message need not lie where a T may.
template <class T>
T value_in(std::span<const std::byte> bytes, std::size_t k) {
  T value;
  std::memcpy(&value, bytes.data() + k * sizeof(T), sizeof(T));
  return value;
}

/// Joins the values of all ranks one by one: right = join(left, right).
template <class T, class Joined>
void combine(Communicator& ranks, std::span<T> values, const Joined& joined) {
  const auto join = [&joined](std::span<const std::byte> left, std::span<std::byte> right) {
    for (std::size_t k = 0; k < right.size() / sizeof(T); ++k) {
      const T value = joined(value_in<T>(left, k), value_in<T>(right, k));
      std::memcpy(right.data() + k * sizeof(T), &value, sizeof(T));
    }
  };
  ranks.wait(*ranks.combine(std::as_writable_bytes(values), join));
}

}  // namespace

template <class T>
void combine_sums(Communicator& ranks, std::span<TreeDigest<T>> digests) {
  combine(ranks, digests, [](TreeDigest<T> left, const TreeDigest<T>& right) {
    left.append(right);
    return left;
  });
}
template void combine_sums(Communicator&, std::span<TreeDigest<float>>);
template void combine_sums(Communicator&, std::span<TreeDigest<double>>);

std::int64_t least_of(Communicator& ranks, std::int64_t value) {
  combine(ranks, std::span(&value, 1), [](std::int64_t left, std::int64_t right) { return std::min(left, right); });
  return value;
}

std::string text_of_first(Communicator& ranks, std::string text) {
  auto length = static_cast<std::int64_t>(text.size());
  ranks.broadcast(std::as_writable_bytes(std::span(&length, 1)), 0);
  text.resize(static_cast<std::size_t>(length));
  ranks.broadcast(std::as_writable_bytes(std::span(text)), 0);
  return text;
}

std::string name_of(const Communicator& ranks) {
  return "rank " + std::to_string(ranks.rank()) + " (" + ranks.host().name + ")";
}

}  // namespace quoin
