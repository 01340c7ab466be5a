#ifdef __x86_64__
#include <immintrin.h>
#include <sleef.h>

#define QUOIN_NAME sse2
#define QUOIN_VECTOR __m128d
#define QUOIN_WIDTH 2
#define QUOIN_LOAD(from) _mm_loadu_pd(from)
#define QUOIN_STORE(to, value) _mm_storeu_pd(to, value)
#define QUOIN_SPLAT(number) _mm_set1_pd(number)
#define QUOIN_SLEEF(name, accuracy) Sleef_cinz_##name##d2_##accuracy##sse2
#include "case/elementary/rows.hpp"
#endif
