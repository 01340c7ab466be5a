// The Jacobi kernels against the oracles, and on polynomials and constants whose result is known
// without any oracle.

#include "kernels/jacobi/oracle_stencil.hpp"

namespace quoin::conformance {
namespace {

/// The variations that every Jacobi kernel goes through.
struct Variation {
  GridCase grid;
  bool stopped = false;   ///< control says that the run has stopped: nothing may change
  bool repeated = false;  ///< launched three times
  double scale = 1.0;     ///< of the values; small ones give subnormal results
};

template <class T>
std::vector<Variation> variations() {
  std::vector<Variation> list;
  for (const GridCase& grid : grid_cases()) list.push_back({grid});
  const auto with = [&](const std::string& what, Variation v) {
    v.grid.name += ", " + what;
    list.push_back(v);
  };
  const GridCase& block = grid_case("17x33");
  const GridCase& large = grid_case("700x300");
  with("stopped", {block, true});
  with("stopped", {large, true});
  with("repeated", {large, false, true});
  with("subnormal", {block, false, false, 4.0 * std::numeric_limits<T>::min()});
  for (const Box& box : empty_boxes()) with("empty box", {{"8x8", 8, 8, box, Style::native}});
  return list;
}

/// The buffers of one case, all made alike.
template <class T>
struct Grid {
  Grid(DeviceUnderTest& bench, KernelSpec spec, const Variation& v)
      : variation(v),
        trial(bench, std::move(spec)),
        place(place_grid<T>(*bench.executor, v.grid.nx, v.grid.ny, v.grid.style)),
        partials_place(place_grid<T>(*bench.executor, v.grid.nx / 16 + 1, v.grid.ny / 32 + 1, v.grid.style)),
        control(trial.field<std::int64_t>("control", place_array(2, v.grid.style))) {
    control[0] = v.stopped ? 7 : 0;
    control[1] = 0;
  }
  Field<T>& field(const std::string& name) { return trial.field<T>(name, place); }
  Field<T>& partials() { return trial.field<T>("partials", partials_place); }

  template <class Oracle>
  void check(std::vector<Argument> arguments, Oracle&& oracle) {
    trial.launch(variation.grid.box, std::move(arguments));
    if (!variation.stopped && variation.grid.box.points() > 0) oracle();
    trial.compare();
    if (variation.repeated) {
      trial.repeat();
      trial.repeat();
    }
  }

  const Variation& variation;
  Trial trial;
  Place place;
  Place partials_place;
  Field<std::int64_t>& control;
};

/// u = 1 + 2x - 3y + x^2 + 2xy + 3y^2 for unit spacing, so -(u_xx / hx^2 + u_yy / hy^2) = -(2a + 6b).
template <class T>
T polynomial(std::int64_t i, std::int64_t j, const Box& box) {
  const auto x = static_cast<double>(i - box.lower[0]);
  const auto y = static_cast<double>(j - box.lower[1]);
  return static_cast<T>(1.0 + 2.0 * x - 3.0 * y + x * x + 2.0 * x * y + 3.0 * y * y);
}
constexpr double polynomial_image = -(2.0 * a + 6.0 * b);

template <class T>
void fill_polynomial(Field<T>& u, const Box& box) {
  Box wider = box;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    --wider.lower[axis];
    ++wider.upper[axis];
  }
  every_node(wider, [&](std::int64_t i, std::int64_t j) { u.view()(i, j) = polynomial<T>(i, j, box); });
}

/// Round-off of the operator on the polynomial over that box.
template <class T>
double round_off(const DeviceUnderTest& bench, const Box& box) {
  const auto largest = static_cast<double>(polynomial<T>(box.upper[0], box.upper[1], box));
  return 8.0 * round_off<T>(bench) * diagonal * largest;
}

const Variation& manufactured() {
  static const Variation variation{{"manufactured solution 61x37", 61, 37, Box::plane(61, 37), Style::odd}};
  return variation;
}

bool beside_a_side(const Box& box, std::int64_t i, std::int64_t j) {
  return i == box.lower[0] || i == box.upper[0] - 1 || j == box.lower[1] || j == box.upper[1] - 1;
}

template <class T>
void block_sums_of_squares(const View<T>& r, const View<T>& partials, const Box& box) {
  block_sums<T>([&](std::int64_t i, std::int64_t j) { return r(i, j) * r(i, j); }, partials, box);
}

template <class T, bool OnRim>
void operator_check(DeviceUnderTest& bench, Cases& cases) {
  const KernelSpec spec{OnRim ? "jacobi_boundary" : "jacobi_laplacian", precision_of<T>, {}};
  const auto arguments = [](Field<T>& u, Field<T>& au, Grid<T>& g) {
    return std::vector<Argument>{
        u.argument(),        au.argument(), Argument::real(a), Argument::real(b), Argument::real(diagonal),
        g.control.argument()};
  };
  const auto visit = [](const Box& box, const auto& body) {
    every_node(box, [&](std::int64_t i, std::int64_t j) {
      if (!OnRim || beside_a_side(box, i, j)) body(i, j);
    });
  };
  for (const Variation& v : variations<T>()) {
    cases(v.grid.name, [&] {
      Grid<T> g(bench, spec, v);
      Field<T>& u = g.field("u");
      Field<T>& au = g.field("au");
      u.fill_with_sides(v.grid.box, 1, static_cast<T>(v.scale));
      g.check(arguments(u, au, g), [&] {
        visit(v.grid.box, [&](std::int64_t i, std::int64_t j) { au.view()(i, j) = apply(u.view(), i, j); });
      });
    });
  }
  const Variation& v = manufactured();
  cases(v.grid.name, [&] {
    Grid<T> g(bench, spec, v);
    Field<T>& u = g.field("u");
    Field<T>& au = g.field("au");
    fill_polynomial(u, v.grid.box);
    g.trial.launch(v.grid.box, arguments(u, au, g));
    const double tolerance = round_off<T>(bench, v.grid.box);
    visit(v.grid.box, [&](std::int64_t i, std::int64_t j) {
      expect_close(node("au", i, j), static_cast<double>(au.seen(i, j)), polynomial_image, tolerance);
    });
  });
}

template <class T>
void update_check(DeviceUnderTest& bench, Cases& cases) {
  for (const Variation& v : variations<T>()) {
    cases(v.grid.name, [&] {
      Grid<T> g(bench, {"jacobi_update", precision_of<T>, {}}, v);
      Field<T>& u = g.field("u");
      Field<T>& f = g.field("f");
      Field<T>& au = g.field("au");
      Field<T>& r = g.field("r");
      u.fill(v.grid.box, 1, static_cast<T>(v.scale));
      f.fill(v.grid.box, 2, static_cast<T>(v.scale));
      au.fill(v.grid.box, 3, static_cast<T>(v.scale));
      g.check({u.argument(), f.argument(), au.argument(), r.argument(), Argument::real(weight), g.control.argument()},
              [&] {
                every_node(v.grid.box, [&](std::int64_t i, std::int64_t j) {
                  r.view()(i, j) = f.view()(i, j) - au.view()(i, j);
                  u.view()(i, j) = std::fma(r.view()(i, j), static_cast<T>(weight), u.view()(i, j));
                });
              });
    });
  }
}

template <class T>
void norm_check(DeviceUnderTest& bench, Cases& cases) {
  const KernelSpec spec{"jacobi_norm", precision_of<T>, {}};
  for (const Variation& v : variations<T>()) {
    cases(v.grid.name, [&] {
      Grid<T> g(bench, spec, v);
      Field<T>& r = g.field("r");
      Field<T>& partials = g.partials();
      r.fill(v.grid.box, 1, static_cast<T>(std::sqrt(v.scale)));
      g.check({r.argument(), partials.argument(), g.control.argument()},
              [&] { block_sums_of_squares(r.view(), partials.view(), v.grid.box); });
    });
  }
  // Small integers: every sum is exact, and counts the nodes of its block nine times.
  const Variation& v = manufactured();
  cases(v.grid.name, [&] {
    Grid<T> g(bench, spec, v);
    Field<T>& r = g.field("r");
    Field<T>& partials = g.partials();
    every_node(v.grid.box, [&](std::int64_t i, std::int64_t j) { r.view()(i, j) = 3; });
    g.trial.launch(v.grid.box, {r.argument(), partials.argument(), g.control.argument()});
    for (std::int64_t by = 0; by < 2; ++by) {
      for (std::int64_t bx = 0; bx < 4; ++bx) {
        const std::int64_t nodes = std::min<std::int64_t>(16, 61 - 16 * bx) * std::min<std::int64_t>(32, 37 - 32 * by);
        expect_close(node("partials", bx, by), static_cast<double>(partials.seen(bx, by)),
                     9.0 * static_cast<double>(nodes), 9.0 * 512.0 * bench.executor->device().error_bound);
      }
    }
  });
}

/// What one sweep makes of `from`; `to` may be the same.
template <class T, class Rhs>
void sweep_once(const GridCase& grid, const View<T>& from, const View<T>& to, const Rhs& rhs, T weight_of_sweep,
                const View<T>& partials) {
  std::vector<T> residuals(static_cast<std::size_t>(grid.nx * grid.ny));
  const View<T> r{residuals.data(), grid.nx};
  every_node(grid.box, [&](std::int64_t i, std::int64_t j) { r(i, j) = rhs(i, j) - apply(from, i, j); });
  every_node(grid.box,
             [&](std::int64_t i, std::int64_t j) { to(i, j) = std::fma(r(i, j), weight_of_sweep, from(i, j)); });
  block_sums_of_squares(r, partials, grid.box);
}

/// A pass of `count` sweeps by a kernel that can hold `depth`, and its buffers.
template <class T>
struct Pass : Grid<T> {
  Pass(DeviceUnderTest& bench, const Variation& v, bool array, std::int64_t depth, std::int64_t sweeps)
      : Grid<T>(bench, {"jacobi_sweeps", precision_of<T>, {{"rhs_array", array ? 1 : 0}, {"depth", depth}}}, v),
        rhs_array(array),
        count(sweeps),
        u(this->field("u")),
        f(this->field("f")),
        u_new(this->field("u_new")),
        partials(this->trial.template field<T>("partials", place_grid<T>(*bench.executor, v.grid.nx / 16 + 1,
                                                                         (v.grid.ny / 32 + 1) * count, v.grid.style))),
        weights(this->trial.template field<T>("weights", place_array(count, v.grid.style))) {}
  std::vector<Argument> arguments(double f_value) {
    return {u.argument(),
            rhs_array ? f.argument() : Argument::absent(),
            u_new.argument(),
            partials.argument(),
            Argument::real(a),
            Argument::real(b),
            Argument::real(diagonal),
            weights.argument(),
            Argument::real(f_value),
            Argument::integer(count),
            this->control.argument()};
  }

  bool rhs_array;
  std::int64_t count;
  Field<T>&u, &f, &u_new, &partials, &weights;
};

std::string in_words(bool rhs_array, std::int64_t depth, std::int64_t count) {
  return std::string(", rhs_array ") + (rhs_array ? "1" : "0") + ", depth " + std::to_string(depth) + ", count " +
         std::to_string(count);
}

/// Each sweep with a weight of its own.
template <class T>
void sweeps_case(DeviceUnderTest& bench, Cases& cases, const Variation& v, bool rhs_array, std::int64_t depth,
                 std::int64_t count) {
  cases(v.grid.name + in_words(rhs_array, depth, count), [&] {
    Pass<T> g(bench, v, rhs_array, depth, count);
    g.u.fill_with_sides(v.grid.box, 1, static_cast<T>(v.scale));
    g.f.fill(v.grid.box, 5, static_cast<T>(v.scale));
    for (std::int64_t s = 0; s < count; ++s)
      g.weights[s] = static_cast<T>(weight * (1.0 - 0.03 * static_cast<double>(s)));
    const double constant = f_constant * v.scale;
    g.check(g.arguments(constant), [&] {
      const Box& box = v.grid.box;
      const std::int64_t pitch = v.grid.nx + 2;
      std::vector<T> now(static_cast<std::size_t>(pitch * (v.grid.ny + 2)));
      const View<T> w{now.data() + pitch + 1, pitch};
      for (std::int64_t j = box.lower[1] - 1; j <= box.upper[1]; ++j)
        for (std::int64_t i = box.lower[0] - 1; i <= box.upper[0]; ++i) w(i, j) = g.u.view()(i, j);
      const auto rhs = [&](std::int64_t i, std::int64_t j) {
        return rhs_array ? g.f.view()(i, j) : static_cast<T>(constant);
      };
      View<T> plane = g.partials.view();
      for (std::int64_t s = 0; s < count; ++s) {
        sweep_once<T>(v.grid, w, w, rhs, g.weights[s], plane);
        plane.first += (box.extent(1) + 31) / 32 * plane.pitch;
      }
      every_node(box, [&](std::int64_t i, std::int64_t j) { g.u_new.view()(i, j) = w(i, j); });
    });
  });
}

/// One sweep from the polynomial, with a residual far above round-off so that a wrong factor of the correction shows.
template <class T>
void manufactured_sweep(DeviceUnderTest& bench, Cases& cases, bool rhs_array) {
  const Variation& v = manufactured();
  cases(v.grid.name + in_words(rhs_array, 1, 1), [&] {
    Pass<T> g(bench, v, rhs_array, 1, 1);
    const double residual = 1000.0 * diagonal;
    const double rhs = polynomial_image + residual;
    fill_polynomial(g.u, v.grid.box);
    every_node(v.grid.box, [&](std::int64_t i, std::int64_t j) { g.f.view()(i, j) = static_cast<T>(rhs); });
    g.weights[0] = static_cast<T>(weight);
    g.trial.launch(v.grid.box, g.arguments(rhs));
    const double tolerance = round_off<T>(bench, v.grid.box);
    every_node(v.grid.box, [&](std::int64_t i, std::int64_t j) {
      const double expected = static_cast<double>(polynomial<T>(i, j, v.grid.box)) + weight * residual;
      expect_close(node("u_new", i, j), static_cast<double>(g.u_new.seen(i, j)), expected, tolerance);
    });
    expect_close("partials(0,0)", static_cast<double>(g.partials.seen(0, 0)), 512.0 * residual * residual,
                 512.0 * 3.0 * residual * tolerance);
  });
}

template <class T>
void sweeps_check(DeviceUnderTest& bench, Cases& cases) {
  for (std::int64_t depth = 1; depth <= deepest_pass; depth *= 2) {
    if (depth > 1 && !bench.executor->supports({"jacobi_sweeps", precision_of<T>, {{"depth", depth}}})) continue;
    for (const Variation& v : variations<T>()) sweeps_case<T>(bench, cases, v, true, depth, depth);
    for (const char* grid : {"1x1", "17x33", "521x67", "700x300"}) {
      const Variation v{grid_case(grid)};
      sweeps_case<T>(bench, cases, v, false, depth, depth);
      if (depth == 1) continue;
      sweeps_case<T>(bench, cases, v, true, depth, depth - 1);
      sweeps_case<T>(bench, cases, v, false, depth, 1);
    }
    // More rows of blocks than a device has work-groups at once, so that one has to do several.
    if (bench.executor->supports({"jacobi_sweeps", precision_of<T>, {{"depth", 2 * depth}}})) continue;
    const GridCase tall{"20x60000", 20, 60000, Box::plane(20, 60000), Style::native};
    sweeps_case<T>(bench, cases, {tall}, true, depth, depth);
  }
  for (const bool rhs_array : {false, true}) manufactured_sweep<T>(bench, cases, rhs_array);
}

const RegisterOracles registered{
    {"jacobi_laplacian", operator_check<double, false>, operator_check<float, false>},
    {"jacobi_boundary", operator_check<double, true>, operator_check<float, true>},
    {"jacobi_update", update_check<double>, update_check<float>},
    {"jacobi_norm", norm_check<double>, norm_check<float>},
    {"jacobi_sweeps", sweeps_check<double>, sweeps_check<float>},
};

}  // namespace

}  // namespace quoin::conformance
