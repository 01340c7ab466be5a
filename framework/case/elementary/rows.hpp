// The functions by one instruction set; no include guard: the source that includes it says which.
//   QUOIN_NAME            of the instruction set
//   QUOIN_VECTOR          doubles in a register
//   QUOIN_WIDTH           how many
//   QUOIN_LOAD(from)      from any address
//   QUOIN_STORE(to, v)
//   QUOIN_SPLAT(number)   in all places
//   QUOIN_SLEEF(name, accuracy)
#include "case/elementary.hpp"

namespace quoin {
namespace QUOIN_NAME {

using Vector = QUOIN_VECTOR;
constexpr std::size_t width = QUOIN_WIDTH;

// What is left of an array is done in a register whose other places are 1, which no function takes long for.
template <class Function>
void of_one(const double* x, double* result, std::size_t count) {
  std::size_t done = 0;
  for (; done + width <= count; done += width) QUOIN_STORE(result + done, Function{}(QUOIN_LOAD(x + done)));
  if (done == count) return;
  double last[width];
  for (std::size_t k = 0; k < width; ++k) last[k] = done + k < count ? x[done + k] : 1.0;
  QUOIN_STORE(last, Function{}(QUOIN_LOAD(last)));
  for (std::size_t k = 0; done + k < count; ++k) result[done + k] = last[k];
}

template <class Function>
void of_two(const double* x, bool wide_x, const double* y, bool wide_y, double* result, std::size_t count) {
  const Vector all_x = QUOIN_SPLAT(*x), all_y = QUOIN_SPLAT(*y);
  std::size_t done = 0;
  for (; done + width <= count; done += width)
    QUOIN_STORE(result + done,
                Function{}(wide_x ? QUOIN_LOAD(x + done) : all_x, wide_y ? QUOIN_LOAD(y + done) : all_y));
  if (done == count) return;
  double last_x[width], last_y[width];
  for (std::size_t k = 0; k < width; ++k) {
    last_x[k] = done + k < count ? x[wide_x ? done + k : 0] : 1.0;
    last_y[k] = done + k < count ? y[wide_y ? done + k : 0] : 1.0;
  }
  QUOIN_STORE(last_x, Function{}(QUOIN_LOAD(last_x), QUOIN_LOAD(last_y)));
  for (std::size_t k = 0; done + k < count; ++k) result[done + k] = last_x[k];
}

template <class Function>
constexpr ElementaryFunction one(const char* name, Function) {
  return {name, of_one<Function>, nullptr};
}
template <class Function>
constexpr ElementaryFunction two(const char* name, Function) {
  return {name, nullptr, of_two<Function>};
}

#define QUOIN_ONE(name, sleef) one(#name, [](Vector x) { return QUOIN_SLEEF(sleef, u10)(x); })
#define QUOIN_TWO(name, sleef) two(#name, [](Vector x, Vector y) { return QUOIN_SLEEF(sleef, u10)(x, y); })
constexpr ElementaryFunction functions[] = {
    QUOIN_ONE(sin, sin),     QUOIN_ONE(cos, cos),     QUOIN_ONE(tan, tan),     QUOIN_ONE(asin, asin),
    QUOIN_ONE(acos, acos),   QUOIN_ONE(atan, atan),   QUOIN_TWO(atan2, atan2), QUOIN_ONE(sinh, sinh),
    QUOIN_ONE(cosh, cosh),   QUOIN_ONE(tanh, tanh),   QUOIN_ONE(asinh, asinh), QUOIN_ONE(acosh, acosh),
    QUOIN_ONE(atanh, atanh), QUOIN_ONE(exp, exp),     QUOIN_ONE(log, log),     QUOIN_ONE(ln, log),
    QUOIN_ONE(log2, log2),   QUOIN_ONE(log10, log10), QUOIN_TWO(pow, pow),     {nullptr, nullptr, nullptr}};
#undef QUOIN_ONE
#undef QUOIN_TWO

#define QUOIN_TEXT(name) #name
#define QUOIN_TEXT_OF(macro) QUOIN_TEXT(macro)
extern const ElementaryFunctions table;
const ElementaryFunctions table{QUOIN_TEXT_OF(QUOIN_NAME), functions};

}  // namespace QUOIN_NAME
}  // namespace quoin
