#pragma once

// What an oracle is: the cases of a kernel, whose results it computes from the kernel's declaration and from nothing
// else. The bodies are never included, so that a mistake in them shows. Naive on purpose.

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/harness.hpp"
#include "quoin/error.hpp"
#include "quoin/kernel_set.hpp"

namespace quoin::conformance {

/// Counts the cases of one check and names the one that fails.
class Cases {
 public:
  using Begins = std::function<void(const std::string& name)>;
  explicit Cases(Begins begins) : begins_(std::move(begins)) {}
  template <class Body>
  void operator()(const std::string& name, Body&& body) {
    ++count_;
    current_ = name;
    begins_(name);
    body();
    current_.clear();
  }
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] const std::string& current() const { return current_; }

 private:
  Begins begins_;
  int count_ = 0;
  std::string current_;
};

/// Gives its checks to the suite: a family's oracle has an object of this type at file scope, and nobody lists it.
struct RegisterOracles {
  RegisterOracles(std::initializer_list<KernelCheck> checks) { all().insert(all().end(), checks); }
  static std::vector<KernelCheck>& all() {
    static std::vector<KernelCheck> checks;
    return checks;
  }
};

/// Throws ErrorKind::bug where a kernel has two oracles, or no family declares it.
inline KernelChecks by_kernel(const std::vector<KernelCheck>& checks) {
  KernelChecks found;
  for (const KernelCheck& check : checks) {
    const std::string name(check.kernel);
    if (find_kernel(name) == nullptr)
      throw Error(ErrorKind::bug, "no family declares '" + name + "', which has an oracle");
    if (!found.emplace(check.kernel, check).second) throw Error(ErrorKind::bug, "kernel " + name + " has two oracles");
  }
  return found;
}

template <class Visit>
void every_node(const Box& box, Visit&& visit) {
  for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j) {
    for (std::int64_t i = box.lower[0]; i < box.upper[0]; ++i) visit(i, j);
  }
}

/// What tree_in_place leaves of a list: of whole groups of eight only the first holds what the group has come to.
template <class T>
void use_up(std::span<T> list) {
  const std::size_t count = list.size();
  for (std::size_t width = 1; width < count; width *= 8) {
    for (std::size_t k = 0; k < count; k += 8 * width) {
      const bool whole = k + 7 * width < count;
      std::vector<T> group;
      for (std::size_t m = k; m < std::min(count, k + 8 * width); m += width) group.push_back(list[m]);
      for (std::size_t half = 1; half < 8 && half * width < count; half *= 2)
        for (std::size_t m = 0; m < group.size(); m += 2 * half)
          group[m] += m + half < group.size() ? group[m + half] : T(0);
      for (std::size_t m = 0; m < (whole ? 1 : group.size()); ++m) list[k + m * width] = group[m];
    }
  }
}

/// What the pattern block_sums makes of the points' values r(i, j), a sum a block of 16 x 32: column pairs, each down
/// its rows, then pairwise across. Nodes outside the box count nothing.
template <class T, class Values>
void block_sums(const Values& r, const View<T>& partials, const Box& box) {
  const auto value = [&](std::int64_t i, std::int64_t j) {
    return i < box.upper[0] && j < box.upper[1] ? r(i, j) : T(0);
  };
  every_node({{0, 0, 0}, {(box.extent(0) + 15) / 16, (box.extent(1) + 31) / 32, 1}, {}}, [&](auto bx, auto by) {
    T pair[8] = {};
    for (std::int64_t p = 0; p < 8; ++p) {
      const std::int64_t i = box.lower[0] + 16 * bx + 2 * p;
      const std::int64_t first = box.lower[1] + 32 * by;
      for (std::int64_t j = first; j < first + 32; ++j) pair[p] = pair[p] + (value(i, j) + value(i + 1, j));
    }
    partials(bx, by) = ((pair[0] + pair[1]) + (pair[2] + pair[3])) + ((pair[4] + pair[5]) + (pair[6] + pair[7]));
  });
}

/// What the pattern list_sums makes of a list that zeros fill up to `width`, a power of two: the left half plus the
/// right half.
template <class T>
T tree_sum(std::span<const T> list, std::size_t width) {
  if (list.empty()) return T(0);
  if (width == 1) return list[0];
  const std::size_t left = std::min(width / 2, list.size());
  return tree_sum(list.first(left), width / 2) + tree_sum(list.subspan(left), width / 2);
}
template <class T>
T tree_sum(std::span<const T> list) {
  return tree_sum(list, std::bit_ceil(list.size()));
}

/// A grid, the box of it that a launch covers, and how it is stored.
struct GridCase {
  std::string name;
  std::int64_t nx, ny;
  Box box;
  Style style;
};

/// From a single node to several blocks, with boxes inside larger fields.
inline const std::vector<GridCase>& grid_cases() {
  static const std::vector<GridCase> cases = [] {
    std::vector<GridCase> made;
    const auto add = [&](std::int64_t nx, std::int64_t ny, const Box& box, const std::string& what) {
      const std::string size = std::to_string(nx) + "x" + std::to_string(ny);
      made.push_back({size + what, nx, ny, box, Style::native});
      made.push_back({size + what + ", odd pitch and offset", nx, ny, box, Style::odd});
    };
    // Single nodes and lines, around one block of 16 x 32, primes, rows across pages, many blocks.
    constexpr std::int64_t sizes[][2] = {{1, 1},   {1, 7},   {7, 1},    {2, 2},    {3, 5},   {15, 31},  {16, 32},
                                         {17, 33}, {31, 64}, {13, 101}, {127, 61}, {512, 3}, {521, 67}, {700, 120}};
    for (const auto& [nx, ny] : sizes) add(nx, ny, Box::plane(nx, ny), "");
    add(61, 131, {{16, 32, 0}, {61, 131, 1}, {0, 0, 0}}, " from block (1,1)");
    add(61, 131, {{32, 64, 0}, {48, 96, 1}, {0, 0, 0}}, " one inner block");
    add(61, 131, {{3, 5, 0}, {40, 99, 1}, {13, 27, 0}}, " of a rank whose own node (3, 5) begins a block");
    return made;
  }();
  return cases;
}

inline const GridCase& grid_case(std::string_view name) {
  const auto& all = grid_cases();
  return *std::find_if(all.begin(), all.end(), [&](const GridCase& grid) { return grid.name == name; });
}

/// Boxes without a node; a launch over one changes nothing.
inline std::vector<Box> empty_boxes() {
  return {{{0, 0, 0}, {0, 7, 1}, {0, 0, 0}}, {{0, 0, 0}, {5, 0, 1}, {0, 0, 0}}, {{4, 4, 0}, {2, 2, 1}, {0, 0, 0}}};
}

}  // namespace quoin::conformance
