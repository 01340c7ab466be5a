#include "problems/linear_system/scheme/preconditioner.hpp"

#include <algorithm>

namespace quoin {

Diagonal::Diagonal(const DevicePlace& place, std::span<const double> elements)
    : first_(elements.empty() ? 1.0 : elements.front()) {
  if (std::ranges::all_of(elements, [this](double element) { return element == first_; })) return;
  elements_.emplace(place, static_cast<std::int64_t>(elements.size()));
  elements_->upload(place.queue, elements);
}

PreconditionerMethod preconditioner_method(const LinearSystemSetup& setup) {
  if (setup.preconditioner == "jacobi") return jacobi_preconditioner(setup);
  if (setup.preconditioner == "block-jacobi") return block_jacobi_preconditioner(setup);
  if (setup.preconditioner == "ilu") return ilu_preconditioner(setup);
  if (setup.preconditioner == "amg") return amg_preconditioner(setup);
  return {};
}

}  // namespace quoin
