#pragma once

// Launches of kernels whose declarations tell all that they touch: their arrays are made and filled from that, and an
// oracle has only to say what becomes of them.

#include "conformance/oracle.hpp"
#include "quoin/extents.hpp"

namespace quoin::conformance {

/// A grid case and what is special of it.
struct Variation {
  GridCase grid;
  bool stopped = false;   ///< control says that the run has stopped: nothing may change
  bool repeated = false;  ///< launched three times
  double scale = 1.0;     ///< of the values; small ones give subnormal results
};

/// All grid cases, and boxes without a node.
inline std::vector<Variation> grid_variations() {
  std::vector<Variation> list;
  for (const GridCase& grid : grid_cases()) list.push_back({grid});
  for (const Box& box : empty_boxes()) list.push_back({{"8x8, empty box", 8, 8, box, Style::native}});
  return list;
}

/// Values of a kernel's real and integer arguments by their names.
using Numbers = std::map<std::string_view, double>;

/// The smallest rectangle around all that a launch touches of an array.
inline kernels::Range hull_of(const kernels::Extents::Parts& parts) {
  kernels::Range hull = parts.front();
  for (const kernels::Range& r : parts)
    hull = {std::min(hull.i0, r.i0), std::max(hull.i1, r.i1), std::min(hull.j0, r.j0), std::max(hull.j1, r.j1)};
  return hull;
}

/// The numbers of a launch in the order of its arguments, and absent buffers between them. Those without a given value
/// are small, so that no array is too short for them.
inline std::vector<Argument> numbers_of(const CatalogueEntry& entry, const Numbers& given = {}) {
  std::vector<Argument> arguments;
  for (const ArgumentSpec& argument : entry.arguments) {
    const auto found = given.find(argument.name);
    const bool integer = argument.kind == ArgumentKind::integer;
    const double other = integer ? 1.0 : 0.3 + 0.1 * static_cast<double>(arguments.size());
    const double value = found != given.end() ? found->second : other;
    if (integer)
      arguments.push_back(Argument::integer(static_cast<std::int64_t>(value)));
    else
      arguments.push_back(argument.kind == ArgumentKind::real ? Argument::real(value) : Argument::absent());
  }
  return arguments;
}

/// Columns and rows of arrays of which a launch touches more than is declared, by their names.
using Sizes = std::map<std::string_view, std::array<std::int64_t, 2>>;

/// Optional arrays of which it touches nothing are absent; tables and arrays of a given size are the oracle's to fill.
template <class T>
class DeclaredLaunch {
 public:
  DeclaredLaunch(DeviceUnderTest& bench, const KernelSpec& spec, const Variation& variation,
                 const Numbers& numbers = {}, const Sizes& sizes = {})
      : box(variation.grid.box),
        entry(*find_kernel(spec.name)),
        variant(variant_of(spec)),
        trial(bench, spec),
        arguments(numbers_of(entry, numbers)),
        bench_(bench),
        variation_(variation) {
    for (std::size_t k = 0; k < entry.arguments.size(); ++k) {
      if (entry.arguments[k].kind == ArgumentKind::reals) add(k, sizes, reals_);
      if (entry.arguments[k].kind == ArgumentKind::integers) add(k, sizes, integers_);
      if (entry.arguments[k].kind == ArgumentKind::indices) add(k, sizes, indices_);
    }
    if (const auto control = integers_.find("control"); control != integers_.end()) {
      (*control->second)[0] = variation.stopped ? 7 : 0;
      (*control->second)[1] = 0;
    }
  }

  /// Launches and compares with what the oracle makes of the fields.
  template <class Oracle>
  void run(Oracle&& oracle) {
    trial.launch(box, arguments);
    if (!variation_.stopped && box.points() > 0) oracle(*this);
    trial.compare();
    for (int again = 0; again < (variation_.repeated ? 2 : 0); ++again) trial.repeat();
  }

  [[nodiscard]] Field<T>& field(std::string_view name) const { return *reals_.at(name); }
  [[nodiscard]] View<T> view(std::string_view name) const { return field(name).view(); }
  [[nodiscard]] Field<std::int64_t>& integers(std::string_view name) const { return *integers_.at(name); }
  [[nodiscard]] Field<std::int32_t>& indices(std::string_view name) const { return *indices_.at(name); }
  [[nodiscard]] T real(std::string_view name) const {
    return static_cast<T>(arguments[entry.argument(name)].real_value);
  }
  [[nodiscard]] std::int64_t integer(std::string_view name) const {
    return arguments[entry.argument(name)].integer_value;
  }

  const Box box;
  const CatalogueEntry& entry;
  const Variant variant;
  Trial trial;
  std::vector<Argument> arguments;

 private:
  template <class Value>
  void add(std::size_t k, const Sizes& sizes, std::map<std::string_view, Field<Value>*>& fields) {
    const ArgumentSpec& argument = entry.arguments[k];
    const GridCase& grid = variation_.grid;
    const auto given = sizes.find(argument.name);
    const auto parts = kernels::footprint(variant, k, box, arguments);
    const kernels::Range hull = hull_of(parts);
    const bool some =
        given != sizes.end() ? given->second[0] * given->second[1] > 0 : hull.i0 < hull.i1 && hull.j0 < hull.j1;
    if (argument.optional && box.points() > 0 && !some) return;
    // Natively, what lies in the grid with its ghosts is alike, as the fields of a problem are; else no two are, but
    // for the values of entities, which all lie a pitch apart. What is no row of the box is a list.
    std::array size{grid.nx, grid.ny};
    if (hull.i1 > grid.nx + 1 || hull.j1 > grid.ny + 1) size = {std::max(grid.nx, hull.i1), hull.j1};
    if (given != sizes.end()) size = given->second;
    if (grid.style == Style::odd && grid.ny > 1) size[0] += 2 * static_cast<std::int64_t>(k);
    const bool list = given == sizes.end() && hull.j0 == 0 && hull.j1 == 1 && hull.i1 != box.upper[0];
    const Place place =
        list ? place_array(hull.i1, grid.style) : place_grid<T>(*bench_.executor, size[0], size[1], grid.style);
    auto& made = trial.field<Value>(std::string(argument.name), place);
    if (std::is_same_v<Value, T> && argument.intent != Intent::out && given == sizes.end()) {
      auto seed = static_cast<unsigned>(10 * k);
      for (const kernels::Range& r : parts)
        made.fill(r.i0, r.i1, r.j0, r.j1, ++seed, static_cast<Value>(variation_.scale));
    }
    arguments[k] = made.argument();
    fields.emplace(argument.name, &made);
  }

  DeviceUnderTest& bench_;
  Variation variation_;
  std::map<std::string_view, Field<T>*> reals_;
  std::map<std::string_view, Field<std::int64_t>*> integers_;
  std::map<std::string_view, Field<std::int32_t>*> indices_;
};

/// Lets a reference do on the mirrors of those fields what a launch does on the device.
template <class Reference, class Fields>
void run_on_mirrors(Reference reference, const Fields& fields, const Variant& variant, const Box& box,
                    std::span<const Argument> arguments) {
  if (box.points() == 0) return;
  std::vector<kernels::Resolved> resolved;
  for (const Argument& argument : arguments) {
    void* data = nullptr;
    for (const auto& field : fields) {
      if (argument.memory == &field->memory()) data = field->mirror_from(argument.offset);
    }
    resolved.push_back({data, argument.pitch, argument.real_value, argument.integer_value});
  }
  reference(variant, {box.lower[0], box.upper[0], box.lower[1], box.upper[1]}, resolved.data());
}

/// A case for each variation: what `formula` makes of the fields of a launch is what the kernel must make of them.
template <class T, class Formula>
void check_formula(DeviceUnderTest& bench, Cases& cases, std::string_view kernel,
                   const std::vector<Variation>& variations, const Numbers& numbers, Formula&& formula) {
  const KernelSpec spec{std::string(kernel), precision_of<T>, {}};
  for (const Variation& v : variations)
    cases(v.grid.name, [&] { DeclaredLaunch<T>(bench, spec, v, numbers).run(formula); });
}

}  // namespace quoin::conformance
