#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"

namespace quoin {

/// Bytes before the first whole page of that size.
inline std::size_t before_page(const void* data, std::size_t page) {
  return (page - reinterpret_cast<std::uintptr_t>(data) % page) % page;
}

/// Asks for large pages where memory has been allocated and not been written yet: half of the time that a large file
/// takes would go into handing out small ones. Only a hint, without which all works as before.
template <class T>
void hint_large_pages(T* data, std::size_t count) {
  constexpr std::size_t page = 4096, worth_it = std::size_t{4} << 20U;
  const std::size_t before = before_page(data, page);
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
  constexpr std::size_t page = std::size_t{2} << 20U;
  auto* const bytes = reinterpret_cast<std::byte*>(list.data());
  const std::size_t before = before_page(bytes, page);
  const std::size_t size = list.capacity() * sizeof(T);
  if (size < before + page) return;
  parallel_parts(
      static_cast<std::int64_t>((size - before) / page),
      [&](const Part& part) {
        madvise(bytes + before + static_cast<std::size_t>(part.first) * page,
                static_cast<std::size_t>(part.last - part.first) * page, MADV_POPULATE_WRITE);
      },
      4);
#endif
}

/// So many elements, on pages cleared so.
template <class T>
void resize_cleared(std::vector<T>& list, std::size_t count) {
  reserve_cleared(list, count);
  list.resize(count);
}

}  // namespace quoin
