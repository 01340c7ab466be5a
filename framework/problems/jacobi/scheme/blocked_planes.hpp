#pragma once

// Poisson's equation in space: a wave of rows goes through all planes, and several sweeps with it, each some planes
// behind the one before, so that what one leaves is in the cache when the next reads it. A sweep is launched on some
// rows after the others; its bits are those of one launch on all.

#include <cstdint>
#include <memory>

#include "problems/jacobi/scheme/sweeps.hpp"

namespace quoin {

/// Whether the case's sweeps go like that on the device.
bool goes_in_waves(const Executor& executor, const JacobiSetup& setup);
/// Sweeps of a wave: as many as a cache has room for the planes between the first and the last of.
std::int64_t wave_sweeps(const JacobiSetup& setup);

std::unique_ptr<JacobiSweeps> make_blocked_planes(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                                  Queue& queue, ResidualNorm& norm, KernelTimer& timer);

}  // namespace quoin
