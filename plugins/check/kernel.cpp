#include "kernel.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "queue.hpp"
#include "quoin/error.hpp"
#include "quoin/extents.hpp"

namespace quoin::check {
namespace {

const CatalogueEntry& known(const KernelSpec& spec) {
  const CatalogueEntry* entry = find_kernel(spec.name);
  if (entry == nullptr) throw Error(ErrorKind::device, "no kernel named '" + spec.name + "'");
  for (const Constant& constant : spec.constants) {
    if (entry->constant(constant.name) == entry->constants.size())
      throw Error(ErrorKind::bug, "kernel " + spec.name + " has no constant '" + constant.name + "'");
  }
  return *entry;
}

}  // namespace

CheckedKernel::CheckedKernel(KernelSpec spec, Function function)
    : spec_(std::move(spec)), entry_(known(spec_)), function_(std::move(function)) {}

void CheckedKernel::launch(Queue& queue, const Box& box, std::span<const Argument> arguments) {
  auto watch = std::make_shared<Watch>(spec_, entry_, box, arguments);
  static_cast<CheckedQueue&>(queue).launch([watch, function = function_] { watch->run(function); });
}

Watch::Watch(const KernelSpec& spec, const CatalogueEntry& entry, const Box& box, std::span<const Argument> arguments)
    : spec_(spec), entry_(entry), box_(box) {
  require_arguments(entry, arguments);
  require_whole_blocks(entry, box);
  for (std::size_t k = 0; k < arguments.size(); ++k) judge(k, arguments);
  if (box.points() == 0) return;
  if (box.extent(2) != 1)
    throw Error(ErrorKind::bug, "kernel " + spec.name + " was launched on a box of several planes");
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const Argument& a = arguments[k];
    if (a.memory != nullptr) add_use(k, a, arguments);
    std::byte* data = a.memory == nullptr ? nullptr : uses_.back().allocation->data() + a.offset;
    resolved_.push_back({data, a.pitch, a.real_value, a.integer_value});
  }
  refuse_aliases();
}

std::string Watch::name(std::size_t argument) const {
  return "kernel " + spec_.name + ", argument " + std::string(entry_.arguments[argument].name);
}

void Watch::fail(std::size_t argument, const std::string& what) const {
  throw Error(ErrorKind::bug, name(argument) + ": " + what);
}

void Watch::judge(std::size_t index, std::span<const Argument> arguments) const {
  const Argument& argument = arguments[index];
  const ArgumentSpec& expected = entry_.arguments[index];
  const Argument::Kind kind = is_array(expected.kind)               ? Argument::Kind::buffer
                              : expected.kind == ArgumentKind::real ? Argument::Kind::real
                                                                    : Argument::Kind::integer;
  if (argument.kind != kind) fail(index, "the catalogue asks for another kind: buffer, real or integer");
  if (kind != Argument::Kind::buffer || argument.memory != nullptr) return;
  for (const kernels::Range& r : kernels::footprint(variant_of(spec_), index, box_, arguments)) {
    if (!expected.optional || (r.i0 < r.i1 && r.j0 < r.j1)) fail(index, "the buffer is absent");
  }
}

void Watch::add_use(std::size_t index, const Argument& argument, std::span<const Argument> arguments) {
  const std::size_t size = element_size(entry_.arguments[index].kind, spec_.precision);
  if (argument.offset % size != 0)
    fail(index, "the offset of " + std::to_string(argument.offset) + " bytes is no whole element");
  if (argument.pitch < 0) fail(index, "the pitch is negative");
  const std::vector<kernels::Range> touched = kernels::footprint(variant_of(spec_), index, box_, arguments);
  kernels::Range hull = touched.front();
  for (const kernels::Range& r : touched) {
    hull = {std::min(hull.i0, r.i0), std::max(hull.i1, r.i1), std::min(hull.j0, r.j0), std::max(hull.j1, r.j1)};
  }
  if (hull.j1 - hull.j0 > 1 && argument.pitch < hull.i1 - hull.i0) {
    fail(index, "a pitch of " + std::to_string(argument.pitch) + " is less than a row of " +
                    std::to_string(hull.i1 - hull.i0) + " elements");
  }
  Use use{index, checked_range(*argument.memory, 0, 0, name(index)), argument.offset, size, argument.pitch, {}};
  for (const kernels::Range& r : touched) {
    for (std::int64_t j = r.j0; j < r.j1; ++j) {
      const std::int64_t first = static_cast<std::int64_t>(argument.offset / size) + j * argument.pitch + r.i0;
      const auto bytes = static_cast<std::size_t>(r.i1 - r.i0) * size;
      if (first < 0) {
        fail(index,
             "element (" + std::to_string(r.i0) + "," + std::to_string(j) + ") lies before " + use.allocation->name());
      }
      checked_range(*argument.memory, static_cast<std::size_t>(first) * size, bytes, name(index));
      use.rows.emplace_back(static_cast<std::size_t>(first) * size, static_cast<std::size_t>(first) * size + bytes);
    }
  }
  uses_.push_back(std::move(use));
}

void Watch::refuse_aliases() const {
  for (const Use& written : uses_) {
    if (!writes(written)) continue;
    std::vector<bool> mine(written.allocation->bytes());
    for (const auto& [first, last] : written.rows) std::fill(mine.begin() + first, mine.begin() + last, true);
    for (const Use& other : uses_) {
      if (&other == &written || other.allocation != written.allocation) continue;
      for (const auto& [first, last] : other.rows) {
        if (std::find(mine.begin() + first, mine.begin() + last, true) != mine.begin() + last)
          fail(written.argument, "overlaps argument " + std::string(entry_.arguments[other.argument].name));
      }
    }
  }
}

bool Watch::stopped() const {
  for (const Use& use : uses_) {
    if (entry_.arguments[use.argument].name != "control") continue;
    return static_cast<const std::int64_t*>(resolved_[use.argument].data)[0] != 0;
  }
  return false;
}

Watch::State Watch::before(const Use& use, bool stopped) const {
  const std::byte* data = use.allocation->data();
  State state{{data, data + use.allocation->bytes()}, std::vector<bool>(use.allocation->bytes())};
  for (const Use& other : uses_) {
    if (stopped || !writes(other) || other.allocation != use.allocation) continue;
    for (const auto& [first, last] : other.rows)
      std::fill(state.writable.begin() + first, state.writable.begin() + last, true);
  }
  return state;
}

void Watch::run(const Function& function) {
  if (box_.points() == 0) return;
  for (const Use& use : uses_) check_alive(*use.allocation, name(use.argument));
  const bool idle = stopped();
  std::vector<State> states;
  for (const Use& use : uses_) states.push_back(before(use, idle));
  const auto outputs = [&](auto&& visit) {
    for (const Use& use : uses_) {
      if (!idle && entry_.arguments[use.argument].intent == Intent::out) visit(use);
    }
  };
  outputs([](const Use& use) {
    for (const auto& [first, last] : use.rows) fill_poison(use.allocation->data(), first, last, out_poison);
  });
  function(variant_of(spec_), {box_.lower[0], box_.upper[0], box_.lower[1], box_.upper[1]}, resolved_.data());
  for (std::size_t k = 0; k < uses_.size(); ++k) compare(uses_[k], states[k]);
  outputs([&](const Use& use) { find_unwritten(use); });
}

void Watch::compare(const Use& use, const State& state) const {
  const std::string damage = use.allocation->damage();
  if (!damage.empty()) fail(use.argument, damage);
  const std::byte* now = use.allocation->data();
  for (std::size_t k = 0; k < state.bytes.size(); ++k) {
    if (state.writable[k] || now[k] == state.bytes[k]) continue;
    const std::string element = element_name(use, k);
    if (!writes(use)) fail(use.argument, "the kernel changed " + element + " of an argument that it may only read");
    fail(use.argument, "the kernel changed " + element + ", which it may not write in this launch");
  }
}

void Watch::find_unwritten(const Use& use) const {
  std::vector<std::byte> poison(use.element);
  fill_poison(poison.data(), 0, poison.size(), out_poison);
  for (const auto& [first, last] : use.rows) {
    for (std::size_t k = first; k < last; k += use.element) {
      if (std::memcmp(use.allocation->data() + k, poison.data(), poison.size()) == 0)
        fail(use.argument, "the kernel left " + element_name(use, k) + " unwritten");
    }
  }
}

std::string Watch::element_name(const Use& use, std::size_t byte) const {
  const std::int64_t index =
      static_cast<std::int64_t>(byte / use.element) - static_cast<std::int64_t>(use.offset / use.element);
  if (use.pitch == 0) return "element " + std::to_string(index);
  // Ghosts to the left belong to their own row, not to the end of the one before.
  const std::int64_t left = use.pitch > box_.upper[0] ? (use.pitch - box_.upper[0]) / 2 : 0;
  const std::int64_t rounded = index + left >= 0 ? index + left : index + left - use.pitch + 1;
  const std::int64_t j = rounded / use.pitch;
  return "element (" + std::to_string(index - j * use.pitch) + "," + std::to_string(j) + ")";
}

}  // namespace quoin::check
