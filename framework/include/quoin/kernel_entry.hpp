#pragma once

// What is known of a kernel: its arguments with their intent, its compile-time constants and its compulsory cost.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "quoin/executor.hpp"

namespace quoin {

/// The kernels of all families, in the catalogue's order.
enum class KernelId : std::int32_t;

/// How a backend calls the body: kernels/declare.h.
enum class Pattern { map, map_single, map_groups, map_rim, block_sums, list_sums, own_map, own_sweeps, own_entities };

enum class Intent { in, out, inout };

/// What an argument is: a field or array of the kernel's precision, an array of integers of 64 bits, or of 32
/// (indices), or a scalar.
enum class ArgumentKind { reals, integers, indices, real, integer };
constexpr bool is_array(ArgumentKind kind) { return kind != ArgumentKind::real && kind != ArgumentKind::integer; }
/// Bytes of an element of an array.
constexpr std::size_t element_size(ArgumentKind kind, Precision precision) {
  return kind == ArgumentKind::reals     ? element_size(precision)
         : kind == ArgumentKind::indices ? sizeof(std::int32_t)
                                         : sizeof(std::int64_t);
}

struct ArgumentSpec {
  std::string_view name;
  ArgumentKind kind;
  Intent intent = Intent::in;
  bool optional = false;  ///< a buffer that may be absent
};

/// A compile-time constant that a KernelSpec may give.
struct ConstantSpec {
  std::string_view name;
  std::int64_t first;          ///< the default
  std::int64_t last;           ///< in double
  std::int64_t last_in_float;  ///< in float
};

inline constexpr std::size_t most_constants = 4;

/// What a specification names: the kernel with its compile-time constants in the order of their declaration.
struct Variant {
  KernelId id;
  Precision precision;
  std::int64_t constants[most_constants];
};

/// Compulsory traffic and arithmetic: so much for each point, or what a function says of so many.
struct CostModel {
  double reals_per_point = 0.0;  ///< elements moved to and from memory
  double flops_per_point = 0.0;  ///< an fma counts 2
  Cost (*function)(const Variant&, double points) = nullptr;
};

struct CatalogueEntry {
  KernelId id;
  std::string_view name;
  std::string_view family;
  Pattern pattern;
  std::string_view meaning;
  std::span<const ArgumentSpec> arguments;
  std::span<const ConstantSpec> constants;
  CostModel cost;

  /// The place of the argument, or constant, of that name; their number where there is none.
  [[nodiscard]] constexpr std::size_t argument(std::string_view wanted) const { return place(arguments, wanted); }
  [[nodiscard]] constexpr std::size_t constant(std::string_view wanted) const { return place(constants, wanted); }

 private:
  template <class Spec>
  static constexpr std::size_t place(std::span<const Spec> specs, std::string_view wanted) {
    std::size_t k = 0;
    while (k < specs.size() && specs[k].name != wanted) ++k;
    return k;
  }
};

/// Side lengths of a block of the reduction tree, in nodes.
inline constexpr std::int64_t block_columns = 16;
inline constexpr std::int64_t block_rows = 32;
/// Points of a work-group of the pattern map_groups.
inline constexpr int group_points = 64;
/// Launches over entities start and end at multiples of this: whole SIMD packs, whole memory lines.
inline constexpr std::int64_t entity_group = 8;

}  // namespace quoin
