#include <algorithm>

#include "quoin/parts.hpp"

namespace quoin {

std::uint64_t ArrayPart::bytes() const {
  std::uint64_t once = 0;
  for (const Range& range : ranges) once += range.bytes;
  return count * once;
}

bool ArrayPart::fits(std::uint64_t array) const {
  if (count == 0) return false;
  std::uint64_t once = 0;
  for (const Range& range : ranges) {
    if (range.bytes > array - once || range.first > array - range.bytes) return false;
    once += range.bytes;
    const std::uint64_t behind = array - range.bytes - range.first;
    if (count > 1 && (stride == 0 || count - 1 > behind / stride)) return false;
  }
  return once == 0 || count <= array / once;
}

void ArrayPart::each(
    std::uint64_t first, std::uint64_t end,
    const std::function<void(std::uint64_t first, std::uint64_t bytes, std::uint64_t before)>& visit) const {
  std::uint64_t before = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    for (const Range& range : ranges) {
      const std::uint64_t start = range.first + k * stride;
      const std::uint64_t from = std::max(start, first);
      const std::uint64_t to = std::min(start + range.bytes, end);
      if (from < to) visit(from, to - from, before + from - start);
      before += range.bytes;
    }
  }
}

}  // namespace quoin
