#include <sleef.h>

#define QUOIN_NAME scalar
#define QUOIN_VECTOR double
#define QUOIN_WIDTH 1
#define QUOIN_LOAD(from) (*(from))
#define QUOIN_STORE(to, value) (*(to) = (value))
#define QUOIN_SPLAT(number) (number)
#define QUOIN_SLEEF(name, accuracy) Sleef_cinz_##name##d1_##accuracy##purec
#include "case/elementary/rows.hpp"
