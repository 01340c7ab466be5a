#pragma once

#include "quoin/executor.hpp"

namespace quoin {

/// The rate of dense multiply-adds on so many threads at once, in flop/s: what a kernel on those cores can be held
/// against. Some milliseconds, in the widest SIMD of this CPU.
double multiply_add_rate(unsigned threads, Precision precision);

}  // namespace quoin
