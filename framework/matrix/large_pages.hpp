#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

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

}  // namespace quoin
