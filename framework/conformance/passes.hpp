#pragma once

// For the oracles of passes: several sweeps in one launch, each with a weight of its own and its block sums behind
// those of the one before.

#include "conformance/launch.hpp"

namespace quoin::conformance {

/// A launch of `count` sweeps.
template <class T>
DeclaredLaunch<T> pass_of(DeviceUnderTest& bench, const KernelSpec& spec, const Variation& v, Numbers numbers,
                          std::int64_t count) {
  numbers["count"] = static_cast<double>(count);
  const std::int64_t rows = (v.grid.ny / 32 + 1) * count;
  return {bench, spec, v, numbers, {{"partials", {v.grid.nx / 16 + 1, rows}}, {"weights", {count, 1}}}};
}

/// Weights that fall from this one on.
template <class T>
void set_weights(const DeclaredLaunch<T>& l, double weight) {
  for (std::int64_t s = 0; s < l.integer("count"); ++s)
    l.field("weights")[s] = static_cast<T>(weight * (1.0 - 0.03 * static_cast<double>(s)));
}

/// One sweep after the other: sweep.residual(w, i, j) is what the iterate w leaves at a node, and
/// sweep.made(w, i, j, residual, weight) what that makes of it. `nodes`: those of the box, and others that all sweeps
/// but the last go on to.
template <class T, class Sweep>
void sweep_by_sweep(const DeclaredLaunch<T>& l, const Box& nodes, const Sweep& sweep) {
  Field<T>& u = l.field("u");
  std::vector<T> iterate = u.mirror();
  std::vector<T> residuals(iterate.size());
  const std::ptrdiff_t first = u.view().first - u.mirror().data();
  const View<T> w{iterate.data() + first, u.view().pitch};
  const View<T> r{residuals.data() + first, u.view().pitch};
  View<T> sums = l.view("partials");
  for (std::int64_t s = 0; s < l.integer("count"); ++s) {
    const T weight = l.field("weights")[s];
    every_node(nodes, [&](auto i, auto j) { r(i, j) = sweep.residual(w, i, j); });
    every_node(nodes, [&](auto i, auto j) { w(i, j) = sweep.made(w, i, j, r(i, j), weight); });
    block_sums<T>([&](std::int64_t i, std::int64_t j) { return r(i, j) * r(i, j); }, sums, l.box);
    sums.first += (l.box.extent(1) + 31) / 32 * sums.pitch;
  }
  every_node(l.box, [&, u_new = l.view("u_new")](auto i, auto j) { u_new(i, j) = w(i, j); });
}

/// Makes what is not poison positive, as coefficients are: other sweeps would grow without bound.
template <class T>
void make_positive(Field<T>& field) {
  for (T& value : field.mirror())
    if (std::abs(value) <= T(1)) value = std::abs(value) + T(0.125);
}

}  // namespace quoin::conformance
