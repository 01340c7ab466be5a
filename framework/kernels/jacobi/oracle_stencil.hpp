#pragma once

// What the oracles of the Jacobi kernels have in common: the operator, and numbers for it.

#include "conformance/oracle.hpp"

namespace quoin::conformance {

// Not representable in float, so that the rounding of scalars to the kernel's precision shows.
constexpr double a = 1.0 / 0.7;
constexpr double b = 1.0 / 0.3;
constexpr double diagonal = 2.0 * a + 2.0 * b;
constexpr double weight = 0.9 / diagonal;
constexpr double f_constant = 0.1;

/// The five-point operator at one node. The order of the operations is part of the definition.
template <class T>
T apply(const View<T>& u, std::int64_t i, std::int64_t j) {
  const T along_x = static_cast<T>(a) * (u(i - 1, j) + u(i + 1, j));
  const T neighbours = std::fma(static_cast<T>(b), u(i, j - 1) + u(i, j + 1), along_x);
  return std::fma(static_cast<T>(diagonal), u(i, j), -neighbours);
}

/// The largest relative error that an operation of the device may make.
template <class T>
double round_off(const DeviceUnderTest& bench) {
  return std::max(static_cast<double>(std::numeric_limits<T>::epsilon()), bench.executor->device().error_bound);
}

}  // namespace quoin::conformance
