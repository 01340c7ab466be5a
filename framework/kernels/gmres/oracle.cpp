// The basis of GMRES and its least-squares problem, operation by operation.

#include "conformance/recurrence.hpp"

namespace quoin::conformance::gmres {
namespace {

template <class T>
void dots_check(DeviceUnderTest& bench, Cases& cases) {
  for (const std::int64_t pass : {0, 1}) {
    for (const std::int64_t partials : {1, 5, 1000}) {
      const std::int64_t count = partials == 5 ? 31 : 3;
      Variation v{{std::to_string(partials) + " partials, pass " + std::to_string(pass), partials, count,
                   Box::plane(partials, count), pass == 0 ? Style::native : Style::odd}};
      v.stopped = partials == 1 && pass == 1;
      check_formula<T>(bench, cases, "gmres_dots", {v}, {{"pass", static_cast<double>(pass)}},
                       [pass](const DeclaredLaunch<T>& l) {
                         for (std::int64_t k = 0; k < l.box.upper[1]; ++k) {
                           std::vector<T> list;
                           for (std::int64_t i = 0; i < l.box.upper[0]; ++i) list.push_back(l.view("values")(i, k));
                           const T dot = tree_sum<T>(list);
                           l.field("dots")[k] = dot;
                           if (pass == 0) l.field("h")[k] = 0;
                           l.field("h")[k] += dot;
                         }
                       });
    }
  }
}

/// Grids whose planes lie `rows` apart in the basis, more than each needs.
template <class T, class Formula>
void check_over_basis(DeviceUnderTest& bench, Cases& cases, const char* kernel, bool stops, Formula&& formula) {
  for (const Variation& v : vector_variations(stops)) {
    for (const std::int64_t count : {1, 4}) {
      check_formula<T>(bench, cases, kernel, {v},
                       {{"count", static_cast<double>(count)}, {"rows", static_cast<double>(v.grid.ny + 3)}},
                       [&](const DeclaredLaunch<T>& l) { formula(l, count, v.grid.ny + 3); });
    }
  }
}

template <class T>
void subtract_check(DeviceUnderTest& bench, Cases& cases) {
  check_over_basis<T>(
      bench, cases, "gmres_subtract", true, [](const DeclaredLaunch<T>& l, std::int64_t count, std::int64_t rows) {
        const View<T> basis = l.view("basis"), w = l.view("w");
        for (std::int64_t k = 0; k < count; ++k)
          every_node(l.box,
                     [&](auto i, auto j) { w(i, j) = std::fma(-l.field("dots")[k], basis(i, j + k * rows), w(i, j)); });
        block_sums<T>([&](auto i, auto j) { return w(i, j) * w(i, j); }, l.view("partials"), l.box);
      });
}

template <class T>
void combine_check(DeviceUnderTest& bench, Cases& cases) {
  check_over_basis<T>(
      bench, cases, "gmres_combine", false, [](const DeclaredLaunch<T>& l, std::int64_t count, std::int64_t rows) {
        const View<T> basis = l.view("basis"), u = l.view("u");
        every_node(l.box, [&](auto i, auto j) { u(i, j) = 0; });
        for (std::int64_t k = 0; k < count; ++k)
          every_node(l.box,
                     [&](auto i, auto j) { u(i, j) = std::fma(l.field("y")[k], basis(i, j + k * rows), u(i, j)); });
      });
}

struct Rotation {
  std::string name;
  std::int64_t column = 0;
  double square = 2.0;       ///< the norm of w, squared
  double tolerance = 1e-30;  ///< of the residual
  bool zero = false;         ///< the column
  bool stopped = false;
};

template <class T>
void rotate_check(DeviceUnderTest& bench, Cases& cases) {
  constexpr std::int64_t iteration = 42;
  constexpr std::int64_t partials = 70;
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<Rotation> rotations{{"the first column"},
                                        {"the second", 1},
                                        {"column 29", 29, 0.3},
                                        {"a tolerance that is met", 5, 1e-4, 0.9},
                                        {"the space is exhausted", 3, 0.0},
                                        {"a column of zeros", 0, 0.0, 1e-30, true},
                                        {"an infinite vector", 2, infinity},
                                        {"not a number", 2, std::nan("")},
                                        {"stopped", 4, 1.0, 1e-30, false, true}};
  for (const Rotation& s : rotations) {
    cases(s.name, [&] {
      Variation v{{s.name, partials, 1, Box::line(partials), Style::native}};
      v.stopped = s.stopped;
      DeclaredLaunch<T> l(bench, {"gmres_rotate", precision_of<T>, {}}, v,
                          {{"column", static_cast<double>(s.column)},
                           {"slot", 2.0},
                           {"iteration", static_cast<double>(iteration)},
                           {"tolerance", s.tolerance}});
      const bool only = s.square == 0.0 || !std::isfinite(s.square);
      std::vector<T> squares;
      for (std::int64_t i = 0; i < partials; ++i) {
        squares.push_back(static_cast<T>(i == 0 ? s.square : only ? 0.0 : 1e-3 / static_cast<double>(3 + i)));
        l.field("values")[i] = squares.back();
      }
      if (s.zero)
        for (std::int64_t k = 0; k <= s.column; ++k) l.field("h")[k] = 0;
      l.run([&](const auto&) {
        // The whole column with the norm below it, one rotation after the other.
        std::vector<T> h;
        for (std::int64_t k = 0; k <= s.column; ++k) h.push_back(l.field("h")[k]);
        const T norm = std::sqrt(tree_sum<T>(squares));
        auto& cosines = l.field("cosines");
        auto& sines = l.field("sines");
        auto& g = l.field("g");
        for (std::int64_t k = 0; k < s.column; ++k) {
          const T upper = h[static_cast<std::size_t>(k)];
          const T lower = h[static_cast<std::size_t>(k) + 1];
          l.field("h")[k] = std::fma(sines[k], lower, cosines[k] * upper);
          h[static_cast<std::size_t>(k) + 1] = std::fma(cosines[k], lower, -(sines[k] * upper));
        }
        const T first = h.back() * h.back();
        const T length = std::sqrt(first + norm * norm);
        l.field("h")[s.column] = length;
        cosines[s.column] = h.back() / length;
        sines[s.column] = norm / length;
        const T before = g[s.column];
        g[s.column] = cosines[s.column] * before;
        g[s.column + 1] = -(sines[s.column] * before);
        l.field("inverse")[0] = T(1) / norm;
        const T residual = std::abs(g[s.column + 1]);
        l.field("norms")[2] = residual;
        if (length != 0 && std::isfinite(residual) && residual > static_cast<T>(s.tolerance)) return;
        l.integers("control")[0] = iteration;
        l.integers("control")[1] = length == 0 ? 2 : 1;
      });
    });
  }
}

template <class T>
void extend_check(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "gmres_extend", vector_variations(true), {}, [](const DeclaredLaunch<T>& l) {
    const View<T> w = l.view("w"), v = l.view("v");
    every_node(l.box, [&](auto i, auto j) { v(i, j) = l.field("inverse")[0] * w(i, j); });
  });
}

template <class T>
void solve_check(DeviceUnderTest& bench, Cases& cases) {
  for (const std::int64_t count : {1, 2, 7, 30}) {
    const std::int64_t pitch = count + 2;
    const Variation v{{std::to_string(count) + " columns", 1, 1, Box::line(1), Style::native}};
    check_formula<T>(bench, cases, "gmres_solve", {v},
                     {{"count", static_cast<double>(count)}, {"pitch", static_cast<double>(pitch)}},
                     [count, pitch](const DeclaredLaunch<T>& l) {
                       const auto h = [&](std::int64_t row, std::int64_t column) {
                         return l.field("h")[column * pitch + row];
                       };
                       for (std::int64_t row = count; row-- > 0;) {
                         T sum = l.field("g")[row];
                         for (std::int64_t k = row + 1; k < count; ++k)
                           sum = std::fma(-h(row, k), l.field("y")[k], sum);
                         l.field("y")[row] = sum / h(row, row);
                       }
                     });
  }
}

template <class T>
void correct_check(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "gmres_correct", vector_variations(false), {}, [](const DeclaredLaunch<T>& l) {
    const View<T> x = l.view("x"), z = l.view("z"), corrected = l.view("corrected");
    every_node(l.box, [&](auto i, auto j) { corrected(i, j) = x(i, j) + z(i, j); });
  });
}

const RegisterOracles registered{{"gmres_dots", dots_check<double>, dots_check<float>},
                                 {"gmres_subtract", subtract_check<double>, subtract_check<float>},
                                 {"gmres_rotate", rotate_check<double>, rotate_check<float>},
                                 {"gmres_extend", extend_check<double>, extend_check<float>},
                                 {"gmres_solve", solve_check<double>, solve_check<float>},
                                 {"gmres_combine", combine_check<double>, combine_check<float>},
                                 {"gmres_correct", correct_check<double>, correct_check<float>}};

}  // namespace
}  // namespace quoin::conformance::gmres
