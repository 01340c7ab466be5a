#include "case/elementary.hpp"

#include <sleef.h>

#include <array>
#include <cstring>

namespace quoin {

// elementary/rows.hpp defines one for each instruction set.
namespace scalar {
extern const ElementaryFunctions table;
}
namespace sse2 {
extern const ElementaryFunctions table;
}
namespace avx {
extern const ElementaryFunctions table;
}
namespace avx512 {
extern const ElementaryFunctions table;
}

const ElementaryFunction* ElementaryFunctions::find(const char* name) const {
  for (const ElementaryFunction* one = first; one->name != nullptr; ++one)
    if (std::strcmp(one->name, name) == 0) return one;
  return nullptr;
}

const ElementaryFunctions* const* elementary_functions() {
  static const auto known = [] {
    std::array<const ElementaryFunctions*, 5> found{};
    std::size_t count = 0;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f")) found[count++] = &avx512::table;
    if (__builtin_cpu_supports("avx")) found[count++] = &avx::table;
    found[count++] = &sse2::table;
#endif
    found[count] = &scalar::table;
    return found;
  }();
  return known.data();
}

double elementary(const char* name, double x) {
  (*elementary_functions())->find(name)->of_one(&x, &x, 1);
  return x;
}

#define QUOIN_TEXT(number) #number
#define QUOIN_VERSION_OF(major, minor, patch) QUOIN_TEXT(major) "." QUOIN_TEXT(minor) "." QUOIN_TEXT(patch)
const char* elementary_library() {
  return "SLEEF " QUOIN_VERSION_OF(SLEEF_VERSION_MAJOR, SLEEF_VERSION_MINOR, SLEEF_VERSION_PATCHLEVEL);
}

}  // namespace quoin
