#pragma once

#include "quoin/host_memory.hpp"

void launch_grid_v3(std::int64_t, const quoin::Variant&, const quoin::kernels::Range&, const quoin::kernels::Resolved*);

/// A launch by the serial backend's packs.
inline void launch_packs(const quoin::Variant& variant, const quoin::kernels::Range& range,
                         const quoin::kernels::Resolved* given) {
  launch_grid_v3(512, variant, range, given);
}

std::unique_ptr<quoin::Executor> on_opencl();
