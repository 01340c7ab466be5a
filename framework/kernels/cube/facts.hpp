#pragma once

// What passes of several sweeps in space cost.

#include "quoin/kernel_entry.hpp"

namespace quoin {

inline Cost cube_sweeps_cost(const Variant& v, double points) {
  return {points * 3.0 * static_cast<double>(element_size(v.precision)),
          points * 16.0 * static_cast<double>(v.constants[0])};  // depth
}

inline Cost cube_flow_sweeps_cost(const Variant& v, double points) {
  return {points * 7.0 * static_cast<double>(element_size(v.precision)),
          points * 32.0 * static_cast<double>(v.constants[0])};
}

}  // namespace quoin
