#ifdef __x86_64__
#include <immintrin.h>
#include <sleef.h>

#define QUOIN_NAME avx512
#define QUOIN_VECTOR __m512d
#define QUOIN_WIDTH 8
#define QUOIN_LOAD(from) _mm512_loadu_pd(from)
#define QUOIN_STORE(to, value) _mm512_storeu_pd(to, value)
#define QUOIN_SPLAT(number) _mm512_set1_pd(number)
#define QUOIN_SLEEF(name, accuracy) Sleef_cinz_##name##d8_##accuracy##avx512fnofma
#include "case/elementary/rows.hpp"
#endif
