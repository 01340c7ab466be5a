#include "footprint.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace quoin::check {
namespace {

/// The box and the neighbours of its nodes; the corners around it belong to no node.
std::vector<Rectangle> with_sides(const Rectangle& b) {
  return {{b.i0 - 1, b.i1 + 1, b.j0, b.j1}, {b.i0, b.i1, b.j0 - 1, b.j0}, {b.i0, b.i1, b.j1, b.j1 + 1}};
}

std::vector<Rectangle> rim(const Rectangle& b) {
  std::vector<Rectangle> parts{{b.i0, b.i1, b.j0, b.j0 + 1}};
  if (b.j1 - b.j0 > 1) parts.push_back({b.i0, b.i1, b.j1 - 1, b.j1});
  if (b.j1 - b.j0 > 2) {
    parts.push_back({b.i0, b.i0 + 1, b.j0 + 1, b.j1 - 1});
    if (b.i1 - b.i0 > 1) parts.push_back({b.i1 - 1, b.i1, b.j0 + 1, b.j1 - 1});
  }
  return parts;
}

/// An integer argument of the kernel; 0 where it has none of that name.
std::int64_t count(const Variant& variant, std::string_view name, std::span<const Argument> arguments) {
  const auto specs = entry_of(variant.id).arguments;
  const auto found = std::ranges::find(specs, name, &ArgumentSpec::name);
  return found == specs.end() ? 0 : arguments[static_cast<std::size_t>(found - specs.begin())].integer_value;
}

/// A kernel over entities touches so many values of each; of the old ones any may be a neighbour.
std::vector<Rectangle> entity_footprint(const Variant& variant, std::string_view name, const Box& box,
                                        std::span<const Argument> arguments) {
  const std::int64_t slots = count(variant, "slots", arguments);
  const std::int64_t faces = count(variant, "faces", arguments);
  const std::int64_t variables = law_variables(variant.law);
  const std::int64_t basis = dgcvs_basis(variant.order);
  const std::int64_t space = dgcvs_space(variant.order);
  const std::int64_t points = (variant.order + 1) * (variant.order + 1);
  const bool in_parts = variant.id == KernelId::dgcvs_newton || count(variant, "parts", arguments) != dgcvs_all;
  const std::map<std::string_view, std::int64_t> values{
      {"own", variables * basis},
      {"old", variables * basis},
      {"neighbour", slots},
      {"geometry", slots * dgcvs_geometry},
      {"factor", space * (space + 1) / 2},
      {"moments", variant.id == KernelId::dgcvs_limit ? space : dgcvs_moments(variant.order)},
      {"old_moments", space},
      {"length", 1},
      {"threshold", 1},
      {"behind", faces},
      {"face", faces * dgcvs_face},
      {"outside", faces * points * variables},
      {"rhs", in_parts ? variables * (basis + space) : 0},
  };
  if (name == "law_parameters") return {{0, law_parameters(variant.law), 0, 1}};
  if (name == "matrices") return {{0, slots * basis * basis, 0, 1}};
  if (name == "old" || name == "old_moments") return {{0, arguments[1].pitch, 0, values.at(name)}};
  const bool of_faces = name == "behind" || name == "face" || name == "outside";
  const std::int64_t first = of_faces ? count(variant, "first_face", arguments) : 0;
  return {{box.lower[0] - first, box.upper[0] - first, 0, values.at(name)}};
}

}  // namespace

std::vector<Rectangle> footprint(const Variant& variant, std::size_t index, const Box& box,
                                 std::span<const Argument> arguments) {
  const CatalogueEntry& entry = entry_of(variant.id);
  const std::string_view name = entry.arguments[index].name;
  const Rectangle whole{box.lower[0], box.upper[0], box.lower[1], box.upper[1]};
  if (is_dgcvs(entry.id)) return entity_footprint(variant, name, box, arguments);
  if (entry.id == KernelId::dgcvs_observe && (name == "own" || name == "moments"))
    return {{box.lower[0], box.upper[0], 0, arguments[5].integer_value}};
  const bool given_f = variant.rhs_array || entry.id == KernelId::jacobi_update;
  if (name == "f" && !given_f) return {{0, 0, 0, 0}};
  if (name == "sums") {
    const std::int64_t slot = arguments[2].integer_value;
    return {{slot, slot + 1, 0, 1}};
  }
  const bool stencil = entry.id == KernelId::jacobi_laplacian || entry.id == KernelId::jacobi_boundary ||
                       entry.id == KernelId::jacobi_sweeps;
  if (name == "weights") return {{0, 1, 0, 1}};
  if (name == "control") return {{0, 2, 0, 1}};
  if (name == "line") return {{0, box.points(), 0, 1}};
  if (name == "norms") {
    const std::int64_t slot = arguments[2].integer_value;
    return {{slot, slot + box.extent(1), 0, 1}};
  }
  if (name == "partials" && entry.id != KernelId::residual_norm) {
    return {{0, (box.extent(0) + block_columns - 1) / block_columns, 0, (box.extent(1) + block_rows - 1) / block_rows}};
  }
  if (name == "u" && stencil) return with_sides(whole);
  // The nodes of the coarser grid are the tables' secret: the first is sure to be among them.
  if (name == "coarse_u" && entry.id == KernelId::jacobi_prolong) return {{0, 1, 0, 1}};
  if (name == "columns" || name == "rows" || name == "across" || name == "down") {
    const std::size_t axis = name == "columns" || name == "across" ? 0 : 1;
    const std::int64_t weights = count(variant, std::string(name) + "_count", arguments);
    return {{box.lower[axis], box.upper[axis], 0, std::max<std::int64_t>(1, weights)}};
  }
  if (name == "au" && entry.domain == Domain::rim) return rim(whole);
  return {whole};
}

}  // namespace quoin::check
