#pragma once

namespace quoin::bench {

/// The rate of dense multiply-adds in double on so many threads at once, in flop/s: what times on different cores are
/// to be held against. Some milliseconds, in the widest SIMD of this CPU.
double multiply_add_rate(unsigned threads);

}  // namespace quoin::bench
