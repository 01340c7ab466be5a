#include "problems/dgcvs/scheme/matrices.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/dialect/dgcvs.hpp"
#include "problems/dgcvs/scheme/shapes.hpp"
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

std::vector<double> shared_matrices(const DgSetup& setup, EntityKind kind, std::int64_t number_of_slots, double tau) {
  const auto basis = static_cast<std::size_t>(dgcvs_basis(setup.method.order));
  const auto slots = static_cast<std::size_t>(number_of_slots);
  const EntityShape shape = EntityShapes(setup, kind, number_of_slots, false).of(0);
  const double inverse_length = 1.0 / entities_of(setup.staggered, kind).length[0];
  std::vector<double> old(basis * slots);  // the old entity of each slot is one of its own
  std::vector<std::int64_t> neighbour(slots);
  std::iota(neighbour.begin(), neighbour.end(), 0);
  std::vector<double> own(basis);
  Arguments arguments{};
  arguments.own = own.data();
  arguments.old = old.data();
  arguments.neighbour = neighbour.data();
  arguments.geometry = shape.geometry.data();
  arguments.factor = shape.factor.data();
  arguments.moments = shape.moments.data();
  arguments.inverse_length = &inverse_length;
  arguments.law_parameters = setup.law.parameters().data();
  arguments.own_pitch = arguments.geometry_pitch = arguments.factor_pitch = arguments.moments_pitch = 1;
  arguments.shape_mask = -1;
  arguments.old_pitch = number_of_slots;
  arguments.slots = number_of_slots;
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
      matrices.insert(matrices.end(), own.begin(), own.end());
    }
  }
  return matrices;
}

}  // namespace quoin
