#include "device/tree_groups.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace quoin {
namespace {

/// Fewer leaves than this of all lists come to the host in the time of a few launches.
constexpr std::int64_t worthwhile_leaves = 1 << 15;

}  // namespace

TreeGroups::TreeGroups(const std::shared_ptr<Executor>& executor, Precision precision, std::int64_t first,
                       std::int64_t count, std::int64_t lists)
    : first_(first), count_(count) {
  if (count * lists < worthwhile_leaves) return;
  std::int64_t begin = 0;
  for (const int level : levels_of_groups(first, first + count)) {
    groups_.push_back({begin, level});
    begin += std::int64_t{1} << level;
  }
  sum_ = executor->kernel({"sum", precision, {}});
  sums_ = Buffer<std::byte>(executor, groups_.size() * static_cast<std::size_t>(lists) * element_size(precision));
}

template <class T>
std::vector<TreeDigest<T>> TreeGroups::digests(Queue& queue, Memory& leaves, std::int64_t lists, std::size_t offset) {
  if (groups_.empty()) return of_leaves<T>(queue, leaves, lists, offset);
  std::int64_t slot = 0;
  for (const Group& group : groups_) {
    const std::array arguments{
        Argument::buffer(leaves, offset + static_cast<std::size_t>(group.begin) * sizeof(T), count_),
        Argument::buffer(sums_.memory()), Argument::integer(slot)};
    sum_->launch(queue, Box::plane(std::int64_t{1} << group.level, lists), arguments);
    slot += lists;
  }
  std::vector<T> sums(static_cast<std::size_t>(slot));
  queue.copy_out(std::as_writable_bytes(std::span(sums)), sums_.memory(), 0);
  std::vector<TreeDigest<T>> digests(static_cast<std::size_t>(lists), TreeDigest<T>(first_));
  auto sum = sums.begin();
  for (const Group& group : groups_)
    for (TreeDigest<T>& digest : digests) digest.add_group(*sum++, group.level);
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
