#include "device/tree_groups.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>

namespace quoin {
namespace {

/// As many values come to the host in the time of a few launches.
constexpr std::int64_t few_values = 1 << 15;

}  // namespace

TreeGroups::TreeGroups(const std::shared_ptr<Executor>& executor, Precision precision, std::int64_t first,
                       std::int64_t count, std::int64_t lists)
    : first_(first), count_(count), pieces_(pieces_of(lists)) {
  if (pieces_.empty()) return;
  std::int64_t sums = 0;
  for (const Pieces& pieces : pieces_) sums += pieces.count * lists;
  sum_ = executor->kernel({"sum", precision, {}});
  sums_ = Buffer<std::byte>(executor, static_cast<std::size_t>(sums) * element_size(precision));
}

std::vector<TreeGroups::Pieces> TreeGroups::pieces_of(std::int64_t lists) const {
  constexpr int largest = 10;  // a few for each unit of a device
  if (count_ * lists < few_values) return {};
  const int fits = std::countr_zero(static_cast<std::uint64_t>(first_ | count_));
  const int level = std::min(fits, largest);
  if ((count_ >> level) * lists <= few_values) return {{0, count_ >> level, level}};
  std::vector<Pieces> groups;
  std::int64_t begin = 0;
  for (const int of_group : levels_of_groups(first_, first_ + count_)) {
    groups.push_back({begin, 1, of_group});
    begin += std::int64_t{1} << of_group;
  }
  return groups;
}

template <class T>
std::vector<TreeDigest<T>> TreeGroups::digests(Queue& queue, Memory& leaves, std::int64_t lists, std::size_t offset) {
  if (pieces_.empty()) return of_leaves<T>(queue, leaves, lists, offset);
  std::int64_t slot = 0;
  for (const Pieces& pieces : pieces_) {
    const std::int64_t width = std::int64_t{1} << pieces.level;
    const std::int64_t pitch = pieces.count == 1 ? count_ : width;  // several are all that a list has
    const std::array arguments{
        Argument::buffer(leaves, offset + static_cast<std::size_t>(pieces.begin) * sizeof(T), pitch),
        Argument::buffer(sums_.memory()), Argument::integer(slot)};
    sum_->launch(queue, Box::plane(width, pieces.count * lists), arguments);
    slot += pieces.count * lists;
  }
  std::vector<T> sums(static_cast<std::size_t>(slot));
  queue.copy_out(std::as_writable_bytes(std::span(sums)), sums_.memory(), 0);
  std::vector<TreeDigest<T>> digests(static_cast<std::size_t>(lists), TreeDigest<T>(first_));
  std::span<const T> left = sums;
  for (const Pieces& pieces : pieces_) {
    for (TreeDigest<T>& digest : digests) {
      digest.add_groups(left.first(static_cast<std::size_t>(pieces.count)), pieces.level);
      left = left.subspan(static_cast<std::size_t>(pieces.count));
    }
  }
  return digests;
}

template <class T>
std::vector<TreeDigest<T>> TreeGroups::of_leaves(Queue& queue, const Memory& leaves, std::int64_t lists,
                                                 std::size_t offset) const {
  const auto each = static_cast<std::size_t>(count_);
  std::vector<T> values(each * static_cast<std::size_t>(lists));
  if (!values.empty()) queue.copy_out(std::as_writable_bytes(std::span(values)), leaves, offset);
  std::vector<TreeDigest<T>> digests(static_cast<std::size_t>(lists), TreeDigest<T>(first_));
  for (std::size_t k = 0; k < digests.size(); ++k) digests[k].add(std::span<const T>(values).subspan(k * each, each));
  return digests;
}

template std::vector<TreeDigest<float>> TreeGroups::digests(Queue& queue, Memory& leaves, std::int64_t lists,
                                                            std::size_t offset);
template std::vector<TreeDigest<double>> TreeGroups::digests(Queue& queue, Memory& leaves, std::int64_t lists,
                                                             std::size_t offset);

}  // namespace quoin
