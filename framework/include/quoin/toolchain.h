#pragma once

// The compiler's name in manifests.

#if defined(__clang__)
#define QUOIN_TOOLCHAIN __VERSION__
#else
#define QUOIN_TOOLCHAIN "g++ " __VERSION__
#endif

#define QUOIN_TEXT_(x) #x
#define QUOIN_TEXT(x) QUOIN_TEXT_(x)
