// Sweeps with coefficients on faces, operation by operation.

#include <cmath>

#include "conformance/passes.hpp"
#include "conformance/plane_faces.hpp"

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

/// What leaves the cell of a node, and the factor of the node's own value in that.
template <class T>
struct Flow {
  explicit Flow(const DeclaredLaunch<T>& l) : faces(l), sink(l.view("sink")) {}
  T operator()(const View<T>& u, std::int64_t i, std::int64_t j) const {
    return std::fma(sink(i, j), u(i, j), faces.flow(u, i, j));
  }
  [[nodiscard]] T diagonal(std::int64_t i, std::int64_t j) const { return faces.diagonal(i, j) + sink(i, j); }

  PlaneFaces<T> faces;
  View<T> sink;
};

template <class T>
void operator_oracle(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "diffusion_operator", with_stops(), {}, [](const DeclaredLaunch<T>& l) {
    every_node(l.box,
               [flow = Flow<T>(l), u = l.view("u"), au = l.view("au")](auto i, auto j) { au(i, j) = flow(u, i, j); });
  });
}

template <class T>
void update_oracle(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "diffusion_update", with_stops(), {}, [](const DeclaredLaunch<T>& l) {
    const View<T> u = l.view("u"), r = l.view("r");
    every_node(l.box, [&, flow = Flow<T>(l), f = l.view("f"), au = l.view("au")](auto i, auto j) {
      r(i, j) = f(i, j) - au(i, j);
      u(i, j) = std::fma(l.real("weight"), r(i, j) / flow.diagonal(i, j), u(i, j));
    });
  });
}

/// What the iterate w leaves at a node, and what a weighted share of it over the node's factor makes of that.
template <class T>
struct Sweep {
  explicit Sweep(const DeclaredLaunch<T>& l) : flow(l), f(l.view("f")) {}
  T residual(const View<T>& w, std::int64_t i, std::int64_t j) const { return f(i, j) - flow(w, i, j); }
  T made(const View<T>& w, std::int64_t i, std::int64_t j, T residual, T weight) const {
    return std::fma(weight, residual / flow.diagonal(i, j), w(i, j));
  }

  Flow<T> flow;
  View<T> f;
};

template <class T>
void sweep_oracle(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "diffusion_sweep", with_stops(), {}, [](const DeclaredLaunch<T>& l) {
    const Sweep<T> sweep(l);
    const View<T> u = l.view("u");
    const auto residual = [&](std::int64_t i, std::int64_t j) { return sweep.residual(u, i, j); };
    every_node(l.box, [&, u_new = l.view("u_new")](auto i, auto j) {
      u_new(i, j) = sweep.made(u, i, j, residual(i, j), l.real("weight"));
    });
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
          for (const char* name : {"kx", "ky", "sink"}) make_positive(l.field(name));
          l.run([&](const auto&) { sweep_by_sweep<T>(l, l.box, Sweep<T>(l)); });
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
