// How the program allocates what is large. Each of the system's small pages that is written for the first time costs a
// trip into the system, which for arrays of a gigabyte takes longer than to fill them; large ones are asked for
// instead. The program decides that for all that runs in it: the library and the plugins use what they find.

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t large_page = std::size_t{2} << 20U;

void* allocate(std::size_t size) {
  if (size < 2 * large_page) return std::malloc(size == 0 ? 1 : size);
  const std::size_t whole = (size + large_page - 1) / large_page * large_page;
  if (whole < size) return nullptr;
  void* const data = std::aligned_alloc(large_page, whole);
  if (data != nullptr) madvise(data, whole, MADV_HUGEPAGE);  // a hint, without which all works as before
  return data;
}

}  // namespace

void* operator new(std::size_t size) {
  for (;;) {
    if (void* const data = allocate(size)) return data;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}
void* operator new[](std::size_t size) { return operator new(size); }
void operator delete(void* data) noexcept { std::free(data); }
void operator delete[](void* data) noexcept { std::free(data); }
void operator delete(void* data, std::size_t /*size*/) noexcept { std::free(data); }
void operator delete[](void* data, std::size_t /*size*/) noexcept { std::free(data); }
