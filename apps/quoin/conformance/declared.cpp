// What a kernel's declaration alone promises: which elements a launch reads and writes, that a run that has stopped
// changes nothing, and the bits of the scalar reference. A kernel that has no oracle of its own is held to these.

#include <algorithm>

#include "conformance/suite.hpp"
#include "quoin/kernel_set.hpp"

namespace quoin::conformance {
namespace {

/// Kernels that read nodes by tables, or whose constants need arguments to fit, are for their own oracles.
bool can_be_generated(const CatalogueEntry& entry) {
  if (entry.pattern >= Pattern::own_map) return false;
  return std::ranges::none_of(entry.arguments, [](const ArgumentSpec& argument) {
    return argument.kind == ArgumentKind::integers && argument.name != "control";
  });
}

/// The smallest rectangle around all that a launch touches of an array.
kernels::Range hull_of(const kernels::Extents::Parts& parts) {
  kernels::Range hull = parts.front();
  for (const kernels::Range& r : parts)
    hull = {std::min(hull.i0, r.i0), std::max(hull.i1, r.i1), std::min(hull.j0, r.j0), std::max(hull.j1, r.j1)};
  return hull;
}

/// Numbers: small ones that no array is too short for.
std::vector<Argument> numbers_of(const CatalogueEntry& entry) {
  std::vector<Argument> arguments;
  for (const ArgumentSpec& argument : entry.arguments) {
    if (argument.kind == ArgumentKind::integer) {
      arguments.push_back(Argument::integer(1));
    } else {
      arguments.push_back(argument.kind == ArgumentKind::real
                              ? Argument::real(0.3 + 0.1 * static_cast<double>(arguments.size()))
                              : Argument::absent());
    }
  }
  return arguments;
}

/// Whether the kernel's arrays have as many rows as the box: entities have one row, whatever their values.
bool takes_planes(const KernelSet& kernels, const CatalogueEntry& entry, Precision precision) {
  const Box box = Box::plane(40, 70);
  const std::vector<Argument> numbers = numbers_of(entry);
  const KernelSpec spec{std::string(entry.name), precision, {}};
  for (std::size_t k = 0; k < entry.arguments.size(); ++k) {
    if (entry.arguments[k].intent == Intent::in || entry.arguments[k].kind != ArgumentKind::reals) continue;
    const kernels::Range hull = hull_of(kernels.footprint(spec, k, box, numbers));
    if (hull.i1 == box.upper[0] && hull.j1 != box.upper[1]) return false;
  }
  return true;
}

template <class T>
class Launch {
 public:
  Launch(DeviceUnderTest& bench, const KernelSet& kernels, const CatalogueEntry& entry, const Box& box)
      : kernels_(kernels),
        entry_(entry),
        box_(box),
        spec_{std::string(entry.name), precision_of<T>, {}},
        trial_(bench, spec_),
        arguments_(numbers_of(entry)) {
    for (std::size_t k = 0; k < entry.arguments.size(); ++k) {
      if (entry.arguments[k].kind == ArgumentKind::reals) {
        add_reals(k);
      } else if (entry.arguments[k].kind == ArgumentKind::integers) {
        control_ = &trial_.template field<std::int64_t>("control", place_array(2, Style::native));
        set(k, *control_);
      }
    }
  }

  void run(bool stopped) {
    if (control_ != nullptr) (*control_)[0] = (*control_)[1] = stopped ? 1 : 0;
    trial_.launch(box_, arguments_);
    const kernels::Range range{box_.lower[0], box_.upper[0], box_.lower[1], box_.upper[1]};
    if (box_.points() > 0) kernels_.reference(spec_, range, mirrors_.data());
    trial_.compare();
    trial_.repeat();
  }
  /// Kernels that set `control` look at more of it than its first number.
  [[nodiscard]] bool can_stop() const {
    const std::size_t place = entry_.argument("control");
    return place < entry_.arguments.size() && entry_.arguments[place].intent == Intent::in;
  }

 private:
  void add_reals(std::size_t k) {
    const ArgumentSpec& argument = entry_.arguments[k];
    const auto parts = kernels_.footprint(spec_, k, box_, arguments_);
    const kernels::Range hull = hull_of(parts);
    constexpr std::int64_t guard = 512;
    constexpr std::int64_t margin = 5;
    // Element (0, 0) lies in the allocation, also where a launch begins behind it.
    const std::int64_t left = margin - std::min<std::int64_t>(hull.i0, 0);
    const std::int64_t below = std::max<std::int64_t>(-hull.j0, 0);
    const std::int64_t pitch = (hull.i1 + left + margin) | 1;
    auto& field = trial_.template field<T>(
        std::string(argument.name),
        {pitch, guard + left + below * pitch, 2 * guard + (hull.j1 + below + 1) * pitch, left});
    if (argument.intent != Intent::out) {
      for (const kernels::Range& r : parts)
        field.fill(r.i0, r.i1, r.j0, r.j1, static_cast<unsigned>(k + static_cast<std::size_t>(r.j0 - hull.j0) + 1));
    }
    set(k, field);
  }
  template <class Value>
  void set(std::size_t k, Field<Value>& field) {
    arguments_[k] = field.argument();
    mirrors_.resize(arguments_.size());
    mirrors_[k] = {field.view().first, field.view().pitch, 0.0, 0};
    for (std::size_t n = 0; n < arguments_.size(); ++n) {
      mirrors_[n].real = arguments_[n].real_value;
      mirrors_[n].integer = arguments_[n].integer_value;
    }
  }

  const KernelSet& kernels_;
  const CatalogueEntry& entry_;
  Box box_;
  KernelSpec spec_;
  Trial trial_;
  std::vector<Argument> arguments_;
  std::vector<kernels::Resolved> mirrors_;
  Field<std::int64_t>* control_ = nullptr;
};

template <class T>
void check(DeviceUnderTest& bench, Cases& cases, const KernelSet& kernels, const CatalogueEntry& entry) {
  std::vector<Box> boxes{Box::line(1), Box::line(77), {{16, 0, 0}, {48, 1, 1}, {0, 0, 0}}};
  if (takes_planes(kernels, entry, precision_of<T>)) {
    boxes.insert(boxes.end(), {Box::plane(45, 70), {{16, 32, 0}, {61, 101, 1}, {0, 0, 0}}});
    for (const Box& box : empty_boxes()) boxes.push_back(box);
  }
  for (const Box& box : boxes) {
    const std::string name = "as declared, " + std::to_string(box.extent(0)) + "x" + std::to_string(box.extent(1));
    cases(name, [&] { Launch<T>(bench, kernels, entry, box).run(false); });
    if (box.points() > 0 && Launch<T>(bench, kernels, entry, box).can_stop())
      cases(name + ", stopped", [&] { Launch<T>(bench, kernels, entry, box).run(true); });
  }
}

}  // namespace

bool check_declared(DeviceUnderTest& bench, Cases& cases, const KernelSet& kernels, const CatalogueEntry& entry,
                    Precision precision) {
  if (!can_be_generated(entry)) return false;
  precision == Precision::float64 ? check<double>(bench, cases, kernels, entry)
                                  : check<float>(bench, cases, kernels, entry);
  return true;
}

}  // namespace quoin::conformance
