#include "problems/dgcvs/scheme/matrices.hpp"

#include <algorithm>

#include "kernels/dialect/dgcvs.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

using Arguments = kernels::Declared<double>::dgcvs_update_arguments;

void half_step(int order, const Arguments& arguments) {
  switch (order) {
    case 0:
      return kernels::Advection<double, double, 0>::dgcvs_update_point(arguments, 0);
    case 1:
      return kernels::Advection<double, double, 1>::dgcvs_update_point(arguments, 0);
    case 2:
      return kernels::Advection<double, double, 2>::dgcvs_update_point(arguments, 0);
    case 3:
      return kernels::Advection<double, double, 3>::dgcvs_update_point(arguments, 0);
    case 4:
      return kernels::Advection<double, double, 4>::dgcvs_update_point(arguments, 0);
    default:
      throw Error(ErrorKind::bug, "an order that the kernels do not have");
  }
}

}  // namespace

std::vector<double> shared_matrices(const DgSetup& setup, const LevelArrays& arrays, double tau) {
  const auto basis = static_cast<std::size_t>(dgcvs_basis(setup.method.order));
  const auto slots = static_cast<std::size_t>(arrays.slots);
  std::vector<double> old(basis * slots);  // the old entity of each slot is one of its own
  std::vector<std::int64_t> neighbour(slots * static_cast<std::size_t>(arrays.lanes.stride));
  for (std::size_t slot = 0; slot < slots; ++slot)
    neighbour[slot * static_cast<std::size_t>(arrays.lanes.stride)] = static_cast<std::int64_t>(slot);
  // The first lane of arrays whose lanes lie a stride apart; the results of the one entity lie side by side.
  std::vector<double> wide(basis * static_cast<std::size_t>(arrays.lanes.stride));
  Arguments arguments{};
  arguments.own = wide.data();
  arguments.old = old.data();
  arguments.neighbour = neighbour.data();
  arguments.geometry = arrays.geometry.data();
  arguments.factor = arrays.factor.data();
  arguments.moments = arrays.moments.data();
  arguments.inverse_length = arrays.length.data();
  arguments.law_parameters = setup.law.parameters().data();
  arguments.own_pitch = arrays.lanes.stride;
  arguments.old_pitch = arrays.slots;
  arguments.slots = arrays.slots;
  arguments.sweeps = setup.method.order + 1;  // exact for a linear law
  arguments.from_mean = 1;
  arguments.parts = dgcvs_all;
  arguments.tau = tau;
  std::vector<double> matrices;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    for (std::size_t column = 0; column < basis; ++column) {
      std::ranges::fill(old, 0.0);
      old[column * slots + slot] = 1.0;
      half_step(setup.method.order, arguments);
      for (std::size_t row = 0; row < basis; ++row)
        matrices.push_back(wide[row * static_cast<std::size_t>(arrays.lanes.stride)]);
    }
  }
  return matrices;
}

}  // namespace quoin
