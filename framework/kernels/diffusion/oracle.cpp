// Sweeps with coefficients on faces, operation by operation.

#include <cmath>

#include "conformance/passes.hpp"

namespace quoin::conformance::diffusion {
namespace {

std::vector<Variation> with_stops() {
  std::vector<Variation> list = grid_variations();
  list.push_back({grid_case("17x33"), true});
  list.back().grid.name += ", stopped";
  list.push_back({grid_case("700x120"), true});
  list.back().grid.name += ", stopped";
  return list;
}

/// What leaves the cell of a node.
template <class T>
T flow(const DeclaredLaunch<T>& l, const View<T>& u, std::int64_t i, std::int64_t j) {
  const View<T> kx = l.view("kx"), ky = l.view("ky");
  const T centre = u(i, j);
  T sum = kx(i, j) * (centre - u(i - 1, j));
  sum = std::fma(kx(i + 1, j), centre - u(i + 1, j), sum);
  sum = std::fma(ky(i, j), centre - u(i, j - 1), sum);
  sum = std::fma(ky(i, j + 1), centre - u(i, j + 1), sum);
  return std::fma(l.view("sink")(i, j), centre, sum);
}
template <class T>
T flow(const DeclaredLaunch<T>& l, std::int64_t i, std::int64_t j) {
  return flow(l, l.view("u"), i, j);
}

/// The factor of the node's own value.
template <class T>
T diagonal(const DeclaredLaunch<T>& l, std::int64_t i, std::int64_t j) {
  const View<T> kx = l.view("kx"), ky = l.view("ky");
  return ((kx(i, j) + kx(i + 1, j)) + (ky(i, j) + ky(i, j + 1))) + l.view("sink")(i, j);
}

/// A weighted residual over that, added to the value.
template <class T>
T swept(const DeclaredLaunch<T>& l, std::int64_t i, std::int64_t j, T residual) {
  return std::fma(l.real("weight"), residual / diagonal(l, i, j), l.view("u")(i, j));
}

template <class T>
void operator_oracle(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "diffusion_operator", with_stops(), {}, [](const DeclaredLaunch<T>& l) {
    every_node(l.box, [&, au = l.view("au")](auto i, auto j) { au(i, j) = flow(l, i, j); });
  });
}

template <class T>
void update_oracle(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "diffusion_update", with_stops(), {}, [](const DeclaredLaunch<T>& l) {
    const View<T> u = l.view("u"), r = l.view("r");
    every_node(l.box, [&](auto i, auto j) {
      r(i, j) = l.view("f")(i, j) - l.view("au")(i, j);
      u(i, j) = swept(l, i, j, r(i, j));
    });
  });
}

template <class T>
void sweep_oracle(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "diffusion_sweep", with_stops(), {}, [](const DeclaredLaunch<T>& l) {
    const auto residual = [&](std::int64_t i, std::int64_t j) { return l.view("f")(i, j) - flow(l, i, j); };
    every_node(l.box, [&, u_new = l.view("u_new")](auto i, auto j) { u_new(i, j) = swept(l, i, j, residual(i, j)); });
    block_sums<T>([&](std::int64_t i, std::int64_t j) { return residual(i, j) * residual(i, j); }, l.view("partials"),
                  l.box);
  });
}

template <class T>
void sweeps_oracle(DeviceUnderTest& bench, Cases& cases) {
  for (std::int64_t depth = 2; depth <= deepest_row_pass; depth *= 2) {
    const KernelSpec spec{"diffusion_sweeps", precision_of<T>, {{"depth", depth}}};
    if (!bench.executor->supports(spec)) continue;
    for (const Variation& v : with_stops()) {
      for (const std::int64_t count : {depth, depth - 1}) {
        cases(v.grid.name + ", depth " + std::to_string(depth) + ", count " + std::to_string(count), [&] {
          DeclaredLaunch<T> l = pass_of<T>(bench, spec, v, {}, count);
          set_weights(l, 0.9);
          make_positive(l, {"kx", "ky", "sink"});
          l.run([&](const auto&) {
            sweep_by_sweep<T>(
                l, l.box, [&](const View<T>& w, auto i, auto j) { return l.view("f")(i, j) - flow(l, w, i, j); },
                [&](const View<T>& w, auto i, auto j, T residual, T weight) {
                  return std::fma(weight, residual / diagonal(l, i, j), w(i, j));
                });
          });
        });
      }
    }
  }
}

const RegisterOracles registered_diffusion{{"diffusion_operator", operator_oracle<double>, operator_oracle<float>},
                                           {"diffusion_update", update_oracle<double>, update_oracle<float>},
                                           {"diffusion_sweep", sweep_oracle<double>, sweep_oracle<float>},
                                           {"diffusion_sweeps", sweeps_oracle<double>, sweeps_oracle<float>}};

}  // namespace
}  // namespace quoin::conformance::diffusion
