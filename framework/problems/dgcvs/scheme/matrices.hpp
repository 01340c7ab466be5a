#pragma once

#include <cstdint>
#include <vector>

#include "problems/dgcvs/scheme/entities.hpp"
#include "problems/dgcvs/setup/setup.hpp"

namespace quoin {

/// The matrices of a half step tau of advection for entities like the first of all: for each slot, column after column,
/// what a unit coefficient of that old entity gives. Rounded as the sweeps of the kernels round in double.
std::vector<double> shared_matrices(const DgSetup& setup, EntityKind kind, std::int64_t number_of_slots, double tau);

}  // namespace quoin
