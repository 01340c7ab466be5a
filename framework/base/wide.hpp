#pragma once

/// Before a function: the same arithmetic on vectors as wide as the processor has them. Such arithmetic is written with
/// GNU's vector types, whose results do not depend on how many instructions they take.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define QUOIN_WIDE [[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#else
#define QUOIN_WIDE
#endif
