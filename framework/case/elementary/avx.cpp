#ifdef __x86_64__
#include <immintrin.h>
#include <sleef.h>

#define QUOIN_NAME avx
#define QUOIN_VECTOR __m256d
#define QUOIN_WIDTH 4
#define QUOIN_LOAD(from) _mm256_loadu_pd(from)
#define QUOIN_STORE(to, value) _mm256_storeu_pd(to, value)
#define QUOIN_SPLAT(number) _mm256_set1_pd(number)
#define QUOIN_SLEEF(name, accuracy) Sleef_cinz_##name##d4_##accuracy##avx
#include "case/elementary/rows.hpp"
#endif
