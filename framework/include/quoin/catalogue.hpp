#pragma once

// The catalogue: every kernel that a backend can be asked for, as the families under kernels/ declare them.

#include <array>
#include <string>

#include "kernels/families.hpp"
#include "quoin/error.hpp"
#include "quoin/kernel_entry.hpp"
#include "quoin/pass_limits.hpp"

namespace quoin {

#define QN_ID(name, pattern, meaning, ARGUMENTS, CONSTANTS, cost) name,
enum class KernelId : std::int32_t { QUOIN_FAMILIES(QN_ID) };
#undef QN_ID

// NAME_index and NAME_constant: the places of a kernel's arguments and constants.
#define QN_PLACE(name, ...) name,
#define QN_PLACES(name, pattern, meaning, ARGUMENTS, CONSTANTS, cost) \
  struct name##_index {                                               \
    enum : std::size_t { ARGUMENTS(QN_PLACE) how_many };              \
  };                                                                  \
  struct name##_constant {                                            \
    enum : std::size_t { CONSTANTS(QN_PLACE) how_many };              \
  };
QUOIN_FAMILIES(QN_PLACES)
#undef QN_PLACES
#undef QN_PLACE

namespace detail {
namespace kinds {
inline constexpr ArgumentKind reals = ArgumentKind::reals, integers = ArgumentKind::integers,
                              indices = ArgumentKind::indices, stop = ArgumentKind::integers, real = ArgumentKind::real,
                              integer = ArgumentKind::integer;
}  // namespace kinds
namespace uses {
struct Use {
  Intent intent;
  bool optional = false;
};
inline constexpr Use in{Intent::in}, out{Intent::out}, inout{Intent::inout}, in_optional{Intent::in, true},
    inout_optional{Intent::inout, true};
}  // namespace uses

constexpr CostModel per_point(double reals, double flops) { return {reals, flops}; }
constexpr CostModel by(Cost (*function)(const Variant&, double)) { return {0.0, 0.0, function}; }

// An array may not be empty: that of constants ends with one that is not counted.
#define QN_ARGUMENT(name, kind, use, extent) {#name, kinds::kind, uses::use.intent, uses::use.optional},
#define QN_CONSTANT(name, first, last, last_in_float) {#name, first, last, last_in_float},
#define QN_LISTS(name, pattern, meaning, ARGUMENTS, CONSTANTS, cost)             \
  inline constexpr ArgumentSpec name##_arguments[] = {ARGUMENTS(QN_ARGUMENT)};   \
  inline constexpr ConstantSpec name##_constants[] = {CONSTANTS(QN_CONSTANT){}}; \
  static_assert(std::size(name##_constants) <= most_constants + 1);
QUOIN_FAMILIES(QN_LISTS)

#define QN_ENTRY(name, pattern, meaning, ARGUMENTS, CONSTANTS, cost)   \
  {KernelId::name,                                                     \
   #name,                                                              \
   {},                                                                 \
   Pattern::pattern,                                                   \
   meaning,                                                            \
   name##_arguments,                                                   \
   std::span(name##_constants).first(std::size(name##_constants) - 1), \
   cost},
#define QN_ONE(...) +1  // NOLINT(bugprone-macro-parentheses)
#define QN_FAMILY(name, KERNELS) \
  for (std::size_t more = 0 KERNELS(QN_ONE); more > 0; --more) list[next++].family = #name;
constexpr auto with_families() {
  auto list = std::to_array<CatalogueEntry>({QUOIN_FAMILIES(QN_ENTRY)});
  std::size_t next = 0;
  QUOIN_FAMILY_LIST(QN_FAMILY)
  return list;
}
inline constexpr auto entries = with_families();
#undef QN_FAMILY
#undef QN_ONE
#undef QN_ENTRY
#undef QN_LISTS
#undef QN_CONSTANT
#undef QN_ARGUMENT
}  // namespace detail

inline constexpr std::span<const CatalogueEntry> catalogue = detail::entries;

/// The entry of that name, or null.
constexpr const CatalogueEntry* find_kernel(std::string_view name) {
  for (const CatalogueEntry& entry : catalogue) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

constexpr const CatalogueEntry& entry_of(KernelId id) { return catalogue[static_cast<std::size_t>(id)]; }

/// The kernels that launch_entities() runs: compiled for so many constants that they are kept in files of their own.
constexpr bool over_entities(KernelId id) { return entry_of(id).pattern == Pattern::own_entities; }

/// Throws ErrorKind::bug where a launch has more or fewer arguments than the kernel takes: each would be read as
/// another.
inline void require_arguments(const CatalogueEntry& entry, std::span<const Argument> arguments) {
  if (arguments.size() == entry.arguments.size()) return;
  throw Error(ErrorKind::bug, "kernel " + std::string(entry.name) + " takes " + std::to_string(entry.arguments.size()) +
                                  " arguments and was launched with " + std::to_string(arguments.size()));
}

/// Throws ErrorKind::bug where a launch sums blocks that are not those of the global grid.
inline void require_whole_blocks(const CatalogueEntry& entry, const Box& box) {
  if (entry.pattern != Pattern::block_sums && entry.pattern != Pattern::own_sweeps) return;
  const bool whole =
      (box.origin[0] + box.lower[0]) % block_columns == 0 && (box.origin[1] + box.lower[1]) % block_rows == 0;
  if (!whole && box.points() > 0)
    throw Error(ErrorKind::bug, "kernel " + std::string(entry.name) + " was launched on a box that begins at node (" +
                                    std::to_string(box.origin[0] + box.lower[0]) + ", " +
                                    std::to_string(box.origin[1] + box.lower[1]) +
                                    ") of the whole grid, where no block of 16 x 32 begins");
}

/// Whether there is such a kernel. Constants that it does not have are not looked at.
inline bool in_catalogue(const KernelSpec& spec) {
  const CatalogueEntry* entry = find_kernel(spec.name);
  if (entry == nullptr) return false;
  for (const ConstantSpec& constant : entry->constants) {
    const std::int64_t value = spec.constant(std::string(constant.name), constant.first);
    const std::int64_t last = spec.precision == Precision::float64 ? constant.last : constant.last_in_float;
    if (value < constant.first || value > last) return false;
  }
  return true;
}

/// Only for a specification that is in_catalogue().
inline Variant variant_of(const KernelSpec& spec) {
  const CatalogueEntry& entry = *find_kernel(spec.name);
  Variant variant{entry.id, spec.precision, {}};
  for (std::size_t k = 0; k < entry.constants.size(); ++k)
    variant.constants[k] = spec.constant(std::string(entry.constants[k].name), entry.constants[k].first);
  return variant;
}

/// Number of nodes of a box that lie next to its sides.
inline std::int64_t rim_points(const Box& box) {
  const std::int64_t nx = box.extent(0);
  const std::int64_t ny = box.extent(1);
  const std::int64_t inner_x = nx > 2 ? nx - 2 : 0;
  const std::int64_t inner_y = ny > 2 ? ny - 2 : 0;
  return nx * ny - inner_x * inner_y;
}

/// Compulsory traffic and arithmetic of a launch; zero for a kernel that is not in the catalogue.
inline Cost catalogue_cost(const KernelSpec& spec, const Box& box) {
  const CatalogueEntry* entry = find_kernel(spec.name);
  if (entry == nullptr) return {};
  const auto points = static_cast<double>(entry->pattern == Pattern::map_rim ? rim_points(box) : box.points());
  const CostModel& cost = entry->cost;
  if (cost.function != nullptr) return cost.function(variant_of(spec), points);
  return {points * cost.reals_per_point * static_cast<double>(element_size(spec.precision)),
          points * cost.flops_per_point};
}

}  // namespace quoin
