#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"

namespace quoin {

/// Asks for large pages where memory has been allocated and not been written yet: half of the time that a large file
/// takes would go into handing out small ones. Only a hint, without which all works as before.
template <class T>
void hint_large_pages(T* data, std::size_t count) {
  constexpr std::size_t page = 4096, worth_it = std::size_t{4} << 20U;
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(data) % page) % page;  // the first whole page
  const std::size_t bytes = count * sizeof(T);
  if (bytes >= worth_it) madvise(reinterpret_cast<char*>(data) + before, bytes - before, MADV_HUGEPAGE);
}

/// Room for so many elements.
template <class T>
void reserve_large(std::vector<T>& list, std::size_t count) {
  list.reserve(count);
  hint_large_pages(list.data(), list.capacity());
}

/// The same where all of them will be used: the system clears the pages on all cores, not one by one as they are met.
template <class T>
void reserve_cleared(std::vector<T>& list, std::size_t count) {
  reserve_large(list, count);
#ifdef MADV_POPULATE_WRITE
  constexpr std::uintptr_t page = std::uintptr_t{2} << 20U;
  const auto begin = (reinterpret_cast<std::uintptr_t>(list.data()) + page - 1) / page;
  const auto end = reinterpret_cast<std::uintptr_t>(list.data() + list.capacity()) / page;
  if (end <= begin) return;
  parallel_parts(
      static_cast<std::int64_t>(end - begin),
      [&](const Part& part) {
        const std::uintptr_t first = (begin + static_cast<std::uintptr_t>(part.first)) * page;
        madvise(reinterpret_cast<void*>(first), static_cast<std::size_t>(part.last - part.first) * page,
                MADV_POPULATE_WRITE);
      },
      16);
#endif
}

}  // namespace quoin
