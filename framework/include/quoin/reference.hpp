#pragma once

#include "kernels/launch.hpp"

namespace quoin {

/// Runs a catalogue kernel at once on host memory: its shared bodies, one point after the other and without SIMD. These
/// are the bits that every backend must reproduce. In the library quoin_reference, which alone pays for compiling them.
void run_reference(const Variant& variant, const kernels::Range& range, const kernels::Resolved* arguments);

}  // namespace quoin
