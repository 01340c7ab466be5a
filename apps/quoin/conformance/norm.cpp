// residual_norm: the pairwise tree, the norm, and the stop rule on the device.

#include <functional>

#include "conformance/oracles.hpp"
#include "conformance/suite.hpp"

namespace quoin::conformance {
namespace {

constexpr std::int64_t iteration = 42;
constexpr double scale = 0.7e-4;
constexpr double divisor = 61.0 * 37.0;

template <class T>
double never(T) {
  return -1.0;
}

template <class T>
struct Situation {
  std::string name;
  std::int64_t n = 1;
  Style style = Style::native;
  std::int64_t slot = 0;
  std::function<double(T norm)> tolerance = never<T>;
  double first = 0.25;  ///< the first partial
  bool others = true;   ///< the other partials are not all zero
  std::int64_t stopped_at = 0;
};

/// norms[slot] and control as they must be after the launch.
template <class T>
void apply(Field<T>& norms, Field<std::int64_t>& control, const Situation<T>& s, T norm, T tolerance) {
  if (s.stopped_at != 0) return;
  norms[s.slot] = norm;
  if (norm <= tolerance || !std::isfinite(norm)) {
    control[0] = iteration;
    control[1] = 1;
  }
}

template <class T>
void run(Bench& bench, const Situation<T>& s) {
  Trial trial(bench, {"residual_norm", precision_of<T>, {}});
  auto& partials = trial.field<T>("partials", place_array(s.n, s.style));
  auto& norms = trial.field<T>("norms", place_array(8, s.style));
  auto& control = trial.field<std::int64_t>("control", place_array(2, s.style));
  std::vector<T> list(static_cast<std::size_t>(s.n), T(0));
  if (s.others) {
    Field<T> random(*bench.executor, "random", place_array(s.n, s.style));
    random.fill(0, s.n, 0, 1, 11);
    for (std::size_t k = 0; k < list.size(); ++k) list[k] = std::abs(random[static_cast<std::int64_t>(k)]);
  }
  list[0] = static_cast<T>(s.first);
  for (std::size_t k = 0; k < list.size(); ++k) partials[static_cast<std::int64_t>(k)] = list[k];
  for (std::int64_t k = 0; k < 8; ++k) norms[k] = static_cast<T>(-k - 1);
  control[0] = s.stopped_at;
  control[1] = 0;

  const T norm = oracle::residual_norm<T>(list, static_cast<T>(scale), static_cast<T>(divisor));
  const double tolerance = s.tolerance(norm);
  trial.launch(Box::line(s.n),
               {partials.argument(), norms.argument(), Argument::integer(s.slot), Argument::integer(iteration),
                Argument::real(scale), Argument::real(divisor), Argument::real(tolerance), control.argument()});
  apply(norms, control, s, norm, static_cast<T>(tolerance));
  trial.compare();
}

template <class T>
void check(Bench& bench, Cases& cases) {
  std::vector<Situation<T>> list;
  for (const std::int64_t n : {1, 2, 3, 5, 8, 13, 31, 64, 100, 1000, 1024, 4097, 65537}) {
    const std::string name = std::to_string(n) + (n == 1 ? " partial" : " partials");
    list.push_back({name, n});
    list.push_back({name + ", offset of one element, slot 5", n, Style::odd, 5});
  }
  const double infinity = std::numeric_limits<double>::infinity();
  const auto zero = [](T) { return 0.0; };
  const auto above = [](T norm) { return 1.5 * static_cast<double>(norm); };
  const auto below = [](T norm) { return 0.5 * static_cast<double>(norm); };
  list.push_back({"tolerance above the norm", 100, Style::native, 2, above});
  list.push_back({"tolerance below the norm", 100, Style::native, 2, below});
  list.push_back({"norm zero, tolerance zero", 100, Style::native, 0, zero, 0.0, false});
  list.push_back({"norm zero, tolerance negative", 100, Style::native, 0, never<T>, 0.0, false});
  list.push_back({"norm infinite", 100, Style::native, 3, never<T>, infinity});
  list.push_back({"norm not a number", 100, Style::native, 3, never<T>, std::nan("")});
  list.push_back({"already stopped", 100, Style::native, 3, above, 0.25, true, 17});
  if (bench.executor->device().error_bound == 0.0) {
    const auto equal = [](T norm) { return static_cast<double>(norm); };
    const auto just_below = [](T norm) { return static_cast<double>(std::nextafter(norm, T(0))); };
    const auto rounds_up = [](T norm) { return static_cast<double>(norm) * (1.0 - 0x1p-40); };
    list.push_back({"tolerance equal to the norm", 100, Style::native, 1, equal});
    list.push_back({"tolerance just below the norm", 100, Style::native, 1, just_below});
    if (sizeof(T) == 4) list.push_back({"tolerance that rounds to the norm", 100, Style::native, 1, rounds_up});
  }
  for (const Situation<T>& s : list) cases(s.name, [&] { run<T>(bench, s); });

  // Ones add exactly, so the norm is known without an oracle.
  cases("manufactured: 1000 ones", [&] {
    Trial trial(bench, {"residual_norm", precision_of<T>, {}});
    auto& partials = trial.field<T>("partials", place_array(1000, Style::odd));
    auto& norms = trial.field<T>("norms", place_array(1, Style::odd));
    auto& control = trial.field<std::int64_t>("control", place_array(2, Style::odd));
    for (std::int64_t k = 0; k < 1000; ++k) partials[k] = 1;
    norms[0] = 0;
    control[0] = control[1] = 0;
    trial.launch(Box::line(1000),
                 {partials.argument(), norms.argument(), Argument::integer(0), Argument::integer(iteration),
                  Argument::real(0.4), Argument::real(5.0), Argument::real(-1.0), control.argument()});
    const auto norm = static_cast<double>(norms.seen(0, 0));
    const double bound = std::max(bench.executor->device().error_bound, 4.0 * std::numeric_limits<T>::epsilon());
    if (!(std::abs(norm - 4.0) <= 4.0 * bound)) throw Mismatch("norms[0] is " + show(norm) + ", mathematics says 4");
  });
}

constexpr KernelCheck checks[] = {{"residual_norm", check<double>, check<float>}};

}  // namespace

std::span<const KernelCheck> norm_checks() { return checks; }

}  // namespace quoin::conformance
