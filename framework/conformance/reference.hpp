#pragma once

// The kernels' scalar reference as an oracle: it gives the bits that every backend must give.

#include "conformance/harness.hpp"
#include "quoin/reference.hpp"

namespace quoin::conformance {

/// Lets the reference do on the mirrors of those fields what a launch does on the device.
template <class Fields>
void run_reference_on(const Fields& fields, const Variant& variant, const Box& box,
                      std::span<const Argument> arguments) {
  if (box.points() == 0) return;
  std::vector<kernels::Resolved> resolved;
  for (const Argument& argument : arguments) {
    void* data = nullptr;
    for (const auto& field : fields) {
      if (argument.memory == &field->memory()) data = field->mirror_from(argument.offset);
    }
    resolved.push_back({data, argument.pitch, argument.real_value, argument.integer_value});
  }
  run_reference(variant, {box.lower[0], box.upper[0], box.lower[1], box.upper[1]}, resolved.data());
}

}  // namespace quoin::conformance
