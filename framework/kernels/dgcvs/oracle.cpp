// The kernels of DG-CVS whose formulas are short.

#include "conformance/launch.hpp"
#include "kernels/dgcvs/oracle_launch.hpp"

namespace quoin::conformance {
namespace {

template <class T>
void linear_case(DeviceUnderTest& bench, int order, std::int64_t slots, std::int64_t last, Style style) {
  const std::int64_t basis = dgcvs_basis(order);
  const Box box{{8, 0, 0}, {last, 1, 1}, {0, 0, 0}};
  DeclaredLaunch<T> launch(bench, {"dgcvs_linear", precision_of<T>, {{"law", 0}, {"order", order}}},
                           {{"", 40, 1, box, style}}, {{"slots", static_cast<double>(slots)}},
                           {{"old", {old_entities, basis}}});
  launch.field("old").fill(0, old_entities, 0, basis, 1);
  const View<std::int64_t> neighbour = launch.integers("neighbour").view();
  std::mt19937_64 random(3);
  for (std::int64_t slot = 0; slot < slots; ++slot)
    for (std::int64_t e = box.lower[0]; e < last; ++e) neighbour(e, slot) = random_neighbour(random, e, slot);
  launch.run([&](const auto&) {
    const View<T> own = launch.view("own"), old = launch.view("old");
    Field<T>& matrices = launch.field("matrices");
    for (std::int64_t e = box.lower[0]; e < last; ++e) {
      for (std::int64_t n = 0; n < basis; ++n) {
        own(e, n) = 0;
        for (std::int64_t slot = 0; slot < slots; ++slot) {
          for (std::int64_t column = 0; column < basis; ++column)
            own(e, n) =
                std::fma(matrices[(slot * basis + column) * basis + n], old(neighbour(e, slot), column), own(e, n));
        }
      }
    }
  });
}

template <class T>
void linear_check(DeviceUnderTest& bench, Cases& cases) {
  for (int order = 0; order <= dgcvs_highest_order(precision_of<T>); ++order) {
    const std::string name = "order " + std::to_string(order);
    cases(name, [&] { linear_case<T>(bench, order, 4, 40, Style::native); });
    cases(name + ", odd pitch and offset", [&] { linear_case<T>(bench, order, 6, 24, Style::odd); });
    cases(name + ", empty box", [&] { linear_case<T>(bench, order, 4, 8, Style::native); });
  }
}

template <class T>
void observe_check(DeviceUnderTest& bench, Cases& cases) {
  for (const std::int64_t space : {1, 3, 15}) {
    const std::string name = std::to_string(space) + (space == 1 ? " coefficient" : " coefficients");
    const Box box{{8, 0, 0}, {37, 1, 1}, {0, 0, 0}};
    for (const std::int64_t shared : {0, 1}) {
      const std::string moments_of = shared != 0 ? ", shared moments" : "";
      const std::vector<Variation> list{{{name + moments_of, 48, 1, box, Style::native}},
                                        {{name + moments_of + ", odd pitch and offset", 48, 1, box, Style::odd}}};
      const Numbers numbers{{"space", space}, {"shared", shared}};
      check_formula<T>(bench, cases, "dgcvs_observe", list, numbers, [&](const DeclaredLaunch<T>& l) {
        const auto own = l.view("own"), all = l.view("moments"), length = l.view("inverse_length");
        const auto moments = [&](auto e, auto m) { return all(shared != 0 ? 0 : e, m); };
        every_node(l.box, [&, mass = l.view("mass"), square = l.view("square")](auto e, auto) {
          const T area = T(1) / (length(e, 0) * length(e, 0));
          T sum = own(e, 0) * moments(e, 0);
          T squares = own(e, 0) * own(e, 0);
          for (std::int64_t m = 1; m < space; ++m) {
            sum = std::fma(own(e, m), moments(e, m), sum);
            squares = std::fma(own(e, m), own(e, m), squares);
          }
          mass(e, 0) = area * sum;
          square(e, 0) = area * (moments(e, 0) * squares);
        });
      });
    }
  }
}

const RegisterOracles registered{{"dgcvs_linear", linear_check<double>, linear_check<float>},
                                 {"dgcvs_observe", observe_check<double>, observe_check<float>}};

}  // namespace
}  // namespace quoin::conformance
