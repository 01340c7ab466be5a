#include "footprint.hpp"

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

}  // namespace

std::vector<Rectangle> footprint(const CatalogueEntry& entry, std::size_t index, const Box& box,
                                 std::span<const Argument> arguments) {
  const std::string_view name = entry.arguments[index].name;
  const Rectangle whole{box.lower[0], box.upper[0], box.lower[1], box.upper[1]};
  const bool stencil = entry.id == KernelId::jacobi_laplacian || entry.id == KernelId::jacobi_boundary ||
                       entry.id == KernelId::jacobi_fused;
  if (name == "control") return {{0, 2, 0, 1}};
  if (name == "line") return {{0, box.points(), 0, 1}};
  if (name == "norms") {
    const std::int64_t slot = arguments[2].integer_value;
    return {{slot, slot + 1, 0, 1}};
  }
  if (name == "partials" && entry.id != KernelId::residual_norm) {
    return {{0, (box.extent(0) + block_columns - 1) / block_columns, 0, (box.extent(1) + block_rows - 1) / block_rows}};
  }
  if (name == "u" && stencil) return with_sides(whole);
  if (name == "au" && entry.domain == Domain::rim) return rim(whole);
  return {whole};
}

}  // namespace quoin::check
