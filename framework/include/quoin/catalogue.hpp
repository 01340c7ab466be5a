#pragma once

// The catalogue: every kernel that a backend can be asked for, with its arguments and their intent,
// its compile-time constants and its compulsory cost. The order of the entries is that of KernelId.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "quoin/error.hpp"
#include "quoin/executor.hpp"

namespace quoin {

enum class KernelId : std::int32_t {
  jacobi_laplacian,
  jacobi_boundary,
  jacobi_update,
  jacobi_norm,
  jacobi_sweeps,
  jacobi_restrict,
  jacobi_prolong,
  residual_norm,
  halo_pack,
  halo_unpack,
  stream_copy,
  stream_triad,
  dgcvs_update,
  dgcvs_newton,
  dgcvs_linear,
  dgcvs_limit,
  dgcvs_observe,
  sum,
};

/// The conservation laws of DG-CVS: values of the constant `law`.
enum class Law : std::int32_t { advection, burgers, shallow_water };
constexpr int law_variables(Law law) { return law == Law::shallow_water ? 3 : 1; }
constexpr int law_parameters(Law law) { return law == Law::advection ? 2 : law == Law::shallow_water ? 1 : 0; }

/// Launches over entities start and end at multiples of this: whole SIMD packs, whole memory lines.
inline constexpr std::int64_t entity_group = 8;

/// DG-CVS has orders from 0 to this one.
constexpr int dgcvs_highest_order(Precision precision) { return precision == Precision::float64 ? 4 : 2; }
/// Members of the DG-CVS basis of an order: powers of X, Y and s up to that total degree.
constexpr int dgcvs_basis(int order) { return (order + 1) * (order + 2) * (order + 3) / 6; }
/// Its members that do not depend on time.
constexpr int dgcvs_space(int order) { return (order + 1) * (order + 2) / 2; }
/// Numbers that describe a slot, and a half face, of an entity: kernels/dgcvs/arguments.h.
inline constexpr int dgcvs_geometry = 7;
inline constexpr int dgcvs_face = 8;
/// Degree up to which a region's moments are given, and their number.
constexpr int dgcvs_moment_degree(int order) { return order == 0 ? 0 : 3 * order - 1; }
constexpr int dgcvs_moments(int order) { return dgcvs_space(dgcvs_moment_degree(order)); }

enum class Intent { in, out, inout };

/// What an argument is: a field or array of the kernel's precision, an array of 64-bit integers,
/// or a scalar.
enum class ArgumentKind { reals, integers, real, integer };

struct ArgumentSpec {
  std::string_view name;
  ArgumentKind kind;
  Intent intent = Intent::in;
  bool optional = false;  ///< a buffer that may be absent
};

/// The points of a launch's box that a kernel works on.
enum class Domain { box, rim };

/// Side lengths of a block of the reduction tree, in nodes.
inline constexpr std::int64_t block_columns = 16;
inline constexpr std::int64_t block_rows = 32;

/// Most sweeps that a pass of jacobi_sweeps can hold on any backend.
inline constexpr std::int64_t deepest_pass = 16;

/// Most columns of a tile of such a pass on CPUs.
inline constexpr std::int64_t widest_tile = 512;

struct CatalogueEntry {
  KernelId id;
  std::string_view name;
  std::string_view meaning;
  std::span<const ArgumentSpec> arguments;
  std::span<const std::string_view> constants;  ///< compile-time constants that a KernelSpec may give; default 0
  double reals_per_point;                       ///< elements moved to and from memory
  double flops_per_point;                       ///< an fma counts 2
  Domain domain = Domain::box;
};

namespace detail {
using A = ArgumentKind;

// Every Jacobi kernel takes `control`, two 64-bit integers: while control[0] is 0 it works; once it
// holds an iteration number, the run has stopped there and the launch leaves everything as it is.
inline constexpr ArgumentSpec jacobi_laplacian[] = {{"u", A::reals},       {"au", A::reals, Intent::out},
                                                    {"a", A::real},        {"b", A::real},
                                                    {"diagonal", A::real}, {"control", A::integers}};
inline constexpr ArgumentSpec jacobi_update[] = {
    {"u", A::reals, Intent::inout}, {"f", A::reals},     {"au", A::reals},
    {"r", A::reals, Intent::out},   {"weight", A::real}, {"control", A::integers}};
inline constexpr ArgumentSpec jacobi_norm[] = {
    {"r", A::reals}, {"partials", A::reals, Intent::out}, {"control", A::integers}};
inline constexpr ArgumentSpec jacobi_sweeps[] = {{"u", A::reals},
                                                 {"f", A::reals, Intent::in, true},
                                                 {"u_new", A::reals, Intent::out},
                                                 {"partials", A::reals, Intent::out},
                                                 {"a", A::real},
                                                 {"b", A::real},
                                                 {"diagonal", A::real},
                                                 {"weights", A::reals},
                                                 {"f_constant", A::real},
                                                 {"count", A::integer},
                                                 {"control", A::integers}};
inline constexpr ArgumentSpec jacobi_restrict[] = {{"u", A::reals},
                                                   {"f", A::reals, Intent::in, true},
                                                   {"coarse_u", A::reals, Intent::out},
                                                   {"coarse_f", A::reals, Intent::out},
                                                   {"columns", A::integers},
                                                   {"across", A::reals},
                                                   {"rows", A::integers},
                                                   {"down", A::reals},
                                                   {"across_count", A::integer},
                                                   {"down_count", A::integer},
                                                   {"a", A::real},
                                                   {"b", A::real},
                                                   {"diagonal", A::real},
                                                   {"f_constant", A::real},
                                                   {"weight", A::real},
                                                   {"control", A::integers}};
inline constexpr ArgumentSpec jacobi_prolong[] = {
    {"u", A::reals, Intent::inout}, {"coarse_u", A::reals}, {"columns", A::integers}, {"across", A::reals},
    {"rows", A::integers},          {"down", A::reals},     {"control", A::integers}};
inline constexpr ArgumentSpec residual_norm[] = {{"partials", A::reals},
                                                 {"norms", A::reals, Intent::inout},
                                                 {"slot", A::integer},
                                                 {"iteration", A::integer},
                                                 {"every", A::integer},
                                                 {"scale", A::real},
                                                 {"divisor", A::real},
                                                 {"tolerance", A::real},
                                                 {"control", A::integers, Intent::inout}};
inline constexpr ArgumentSpec halo_pack[] = {{"u", A::reals}, {"line", A::reals, Intent::out}};
inline constexpr ArgumentSpec halo_unpack[] = {{"line", A::reals}, {"u", A::reals, Intent::out}};
inline constexpr ArgumentSpec stream_copy[] = {{"x", A::reals}, {"y", A::reals, Intent::out}};
inline constexpr ArgumentSpec stream_triad[] = {
    {"x", A::reals}, {"y", A::reals}, {"z", A::reals, Intent::out}, {"scale", A::real}};
inline constexpr std::string_view rhs_array[] = {"rhs_array"};
inline constexpr std::string_view jacobi_sweeps_constants[] = {"rhs_array", "depth"};

// kernels/dgcvs/arguments.h tells the shapes. Values of an entity lie a pitch apart.
inline constexpr ArgumentSpec dgcvs_update[] = {{"own", A::reals, Intent::inout},
                                                {"old", A::reals},
                                                {"neighbour", A::integers},
                                                {"geometry", A::reals},
                                                {"factor", A::reals},
                                                {"moments", A::reals},
                                                {"length", A::reals},
                                                {"law_parameters", A::reals, Intent::in, true},
                                                {"behind", A::integers, Intent::in, true},
                                                {"face", A::reals, Intent::in, true},
                                                {"outside", A::reals, Intent::in, true},
                                                {"slots", A::integer},
                                                {"faces", A::integer},
                                                {"sweeps", A::integer},
                                                {"from_mean", A::integer},
                                                {"implicit", A::integer},
                                                {"tau", A::real},
                                                {"first_face", A::integer},
                                                {"rhs", A::reals, Intent::inout, true},
                                                {"parts", A::integer}};
inline constexpr ArgumentSpec dgcvs_linear[] = {{"own", A::reals, Intent::out},
                                                {"old", A::reals},
                                                {"neighbour", A::integers},
                                                {"matrices", A::reals},
                                                {"slots", A::integer}};
inline constexpr ArgumentSpec dgcvs_limit[] = {{"own", A::reals, Intent::inout},
                                               {"old", A::reals},
                                               {"neighbour", A::integers},
                                               {"geometry", A::reals},
                                               {"moments", A::reals},
                                               {"old_moments", A::reals},
                                               {"length", A::reals},
                                               {"threshold", A::reals},
                                               {"law_parameters", A::reals, Intent::in, true},
                                               {"slots", A::integer},
                                               {"tau", A::real}};
inline constexpr ArgumentSpec dgcvs_observe[] = {{"own", A::reals},
                                                 {"moments", A::reals},
                                                 {"length", A::reals},
                                                 {"mass", A::reals, Intent::out},
                                                 {"square", A::reals, Intent::out},
                                                 {"space", A::integer}};
inline constexpr ArgumentSpec sum[] = {{"values", A::reals}, {"sums", A::reals, Intent::out}, {"slot", A::integer}};
inline constexpr std::string_view dgcvs_constants[] = {"law", "order"};
}  // namespace detail

/// jacobi_laplacian   au = A u on every node of the box, A = -d2/dx2 - d2/dy2 with five points
/// jacobi_boundary    the same on the nodes of the box that lie next to its sides
/// jacobi_update      r = f - au, u = u + weight * r
/// jacobi_norm        partials(block) = sum of r*r over each whole block of 16 columns by 32 rows
/// jacobi_sweeps      `count` sweeps r = f - A u, u = u + weights[s] * r in one pass, 1 to the constant `depth`: u_new
///                    is the last iterate, the ring around u belongs to all, weights are not negative, and the partials
///                    of r*r of sweep s follow those of sweep s - 1, whole rows of blocks with the same pitch. f is the
///                    array with rhs_array = 1, else the number f_constant. Every backend has depth 1, the default;
///                    more is for those that do several sweeps faster than one after the other
/// jacobi_restrict    for each node (i, j) of the box, on a coarser grid: coarse_f = the sum over s < across_count of
///                    across(i, s) times the sum over t < down_count of down(j, t) times the residual f - A u of the
///                    finer grid at (columns[i] + s, rows[j] + t); coarse_u = weight * coarse_f, a sweep from zero
/// jacobi_prolong     u = u + coarse_u between its nodes: across[i] of the way from column columns[i] to the next, and
///                    down[j] from row rows[j] to the next, for each node (i, j) of the box; -1 is the ring
/// residual_norm      of successive iterations from `iteration` on: norms[slot + row] = sqrt(scale * sum of partials of
///                    that row) / divisor by the pairwise tree; box: the partials of an iteration by the iterations.
///                    Sets control[0] to the first whose norm is <= tolerance (a negative tolerance never stops; it
///                    looks at multiples of `every`, 1 or more, only) or is not finite, then control[1] = 1. An earlier
///                    iteration in control[0] has stopped it; it never holds a later one when the launch begins
/// halo_pack          line = the box of u, row by row; halo_unpack the reverse
/// stream_copy        y = x; stream_triad z = x + scale * y: the yardsticks of memory bandwidth
/// dgcvs_update       one half step of the scheme for entities whose arguments kernels/dgcvs/arguments.h describes
/// dgcvs_newton       its last part by `sweeps` iterations of Newton's method, without implicit boundaries
/// dgcvs_linear       the same for the linear law (advection) and congruent entities: own = sum over slots of
///                    matrix(slot) * old(slot); column after column, slot after slot
/// dgcvs_limit        where own jumps against old, makes it linear with an averaged slope; from order 1 on
/// dgcvs_observe      of one variable at s = 0, for each entity: its integral, and the sum of its squared spatial
///                    coefficients times the area
/// sum                sums[slot] = sum of values over the box by the pairwise tree
inline constexpr CatalogueEntry catalogue[] = {
    {KernelId::jacobi_laplacian, "jacobi_laplacian", "au = A u on a box", detail::jacobi_laplacian, {}, 2, 7},
    {KernelId::jacobi_boundary,
     "jacobi_boundary",
     "au = A u next to the sides of a box",
     detail::jacobi_laplacian,
     {},
     2,
     7,
     Domain::rim},
    {KernelId::jacobi_update, "jacobi_update", "r = f - au, u = u + weight r", detail::jacobi_update, {}, 5, 3},
    {KernelId::jacobi_norm, "jacobi_norm", "block sums of r r", detail::jacobi_norm, {}, 1, 2},
    {KernelId::jacobi_sweeps, "jacobi_sweeps", "Jacobi sweeps in one pass, with block sums of r r",
     detail::jacobi_sweeps, detail::jacobi_sweeps_constants, 2, 12},
    {KernelId::jacobi_restrict, "jacobi_restrict", "residual onto a coarser grid", detail::jacobi_restrict,
     detail::rhs_array, 6, 97},
    {KernelId::jacobi_prolong,
     "jacobi_prolong",
     "u = u + a coarser grid's correction",
     detail::jacobi_prolong,
     {},
     2.25,
     10},
    {KernelId::residual_norm,
     "residual_norm",
     "norm from block sums, and the stop rule",
     detail::residual_norm,
     {},
     1,
     1},
    {KernelId::halo_pack, "halo_pack", "a box of a field into a line", detail::halo_pack, {}, 2, 0},
    {KernelId::halo_unpack, "halo_unpack", "a line into a box of a field", detail::halo_unpack, {}, 2, 0},
    {KernelId::stream_copy, "stream_copy", "y = x", detail::stream_copy, {}, 2, 0},
    {KernelId::stream_triad, "stream_triad", "z = x + scale y", detail::stream_triad, {}, 3, 2},
    {KernelId::dgcvs_update, "dgcvs_update", "one half step of DG-CVS", detail::dgcvs_update, detail::dgcvs_constants,
     0, 0},
    {KernelId::dgcvs_newton, "dgcvs_newton", "the local solves of DG-CVS by Newton's method", detail::dgcvs_update,
     detail::dgcvs_constants, 0, 0},
    {KernelId::dgcvs_linear, "dgcvs_linear", "one half step of DG-CVS by shared matrices", detail::dgcvs_linear,
     detail::dgcvs_constants, 0, 0},
    {KernelId::dgcvs_limit, "dgcvs_limit", "limiter of DG-CVS", detail::dgcvs_limit, detail::dgcvs_constants, 0, 0},
    {KernelId::dgcvs_observe, "dgcvs_observe", "mass and square of entities", detail::dgcvs_observe, {}, 7, 5},
    {KernelId::sum, "sum", "sum of a list", detail::sum, {}, 1, 1},
};

/// The entry of that name, or null.
constexpr const CatalogueEntry* find_kernel(std::string_view name) {
  for (const CatalogueEntry& entry : catalogue) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

constexpr const CatalogueEntry& entry_of(KernelId id) { return catalogue[static_cast<std::size_t>(id)]; }

/// Throws ErrorKind::bug where a launch has more or fewer arguments than the kernel takes: each would be read as another.
inline void require_arguments(const CatalogueEntry& entry, std::span<const Argument> arguments) {
  if (arguments.size() == entry.arguments.size()) return;
  throw Error(ErrorKind::bug, "kernel " + std::string(entry.name) + " takes " + std::to_string(entry.arguments.size()) +
                                  " arguments and was launched with " + std::to_string(arguments.size()));
}

/// What a specification names: the kernel with its compile-time constants as numbers.
struct Variant {
  KernelId id;
  Precision precision;
  bool rhs_array;
  Law law;
  int order;
  std::int64_t depth;
  std::int64_t tile_columns = widest_tile;  ///< the backend's choice, no part of a specification
};

/// Whether there is such a kernel. `deepest`: the sweeps that a pass of the backend can hold.
inline bool in_catalogue(const KernelSpec& spec, std::int64_t deepest = 1) {
  const CatalogueEntry* entry = find_kernel(spec.name);
  if (entry == nullptr) return false;
  const std::int64_t depth = spec.constant("depth", 1);
  if (depth < 1 || depth > deepest) return false;
  const std::int64_t order = spec.constant("order", 0);
  const std::int64_t law = spec.constant("law", 0);
  if (entry->id == KernelId::dgcvs_linear && law != static_cast<std::int64_t>(Law::advection)) return false;
  if (entry->id == KernelId::dgcvs_limit && order == 0) return false;
  return order >= 0 && order <= dgcvs_highest_order(spec.precision) && law >= 0 &&
         law <= static_cast<std::int64_t>(Law::shallow_water);
}

/// Only for a specification that is in_catalogue().
inline Variant variant_of(const KernelSpec& spec) {
  return {find_kernel(spec.name)->id,
          spec.precision,
          spec.constant("rhs_array", 0) != 0,
          static_cast<Law>(spec.constant("law", 0)),
          static_cast<int>(spec.constant("order", 0)),
          spec.constant("depth", 1)};
}

/// Parts of a half step, as kernels/dgcvs/arguments.h has them for the argument `parts`.
inline constexpr int dgcvs_lateral = 1, dgcvs_bottom = 2, dgcvs_join = 4, dgcvs_solve = 8, dgcvs_all = 15;

/// Elements that these parts of the update of a quadrilateral's entity move, each counted once: one old entity's
/// polynomials and four slots; the right-hand side, between parts; own polynomials read and written, factor, moments.
inline double dgcvs_reals(const Variant& v, int parts) {
  const int space = dgcvs_space(v.order);
  const double unknowns = law_variables(v.law) * dgcvs_basis(v.order);
  double reals = 0.0;
  if ((parts & (dgcvs_lateral | dgcvs_bottom)) != 0) reals += unknowns + 4 * 8;
  if ((parts & dgcvs_solve) != 0) reals += 2 * unknowns + space * (space + 1) / 2.0 + dgcvs_moments(v.order);
  if (parts != dgcvs_all) {
    if ((parts & ~dgcvs_bottom) != 0) reals += unknowns;
    if ((parts & ~dgcvs_lateral) != 0) reals += law_variables(v.law) * space;
  }
  return reals;
}

/// Operations of these parts with order + 2 sweeps, an fma counted twice.
inline double dgcvs_flops(const Variant& v, int parts) {
  const int p = v.order;
  const int q = p + 1;
  const int basis = dgcvs_basis(p);
  const int space = dgcvs_space(p);
  const int products = space * (space + 1) / 2;
  const double bottom = q * q * (15.0 + 5.0 * space);
  const double lateral = 2.0 * q * (6.0 + space + 4.0 * basis + q * (4.0 * p + 6.0));
  double solve = 2.0 * basis;
  for (int k = 0; k <= p; ++k)
    solve += 2.0 * dgcvs_space(k) * (dgcvs_space(k) + 1) + 2.0 * (p - k + 1) * (k + 1) * (k + 1);
  const double volume = q * (2.0 * basis + 2.0 * products + dgcvs_space(2 * p) * p * (p + 1.0)) + 4.0 * basis;
  const auto of = [&](int part, double flops) { return (parts & part) != 0 ? law_variables(v.law) * flops : 0.0; };
  return of(dgcvs_lateral, 4.0 * lateral) + of(dgcvs_bottom, 4.0 * bottom) +
         of(dgcvs_solve, (p + 2) * (volume + solve));
}

/// Operations of the local solve by 5 iterations of Newton's method: residual, Jacobian by quadrature and elimination.
inline double dgcvs_newton_flops(const Variant& v) {
  const double p = v.order;
  const double points = 4 * (p + 1) * (p + 1);
  const double unknowns = law_variables(v.law) * dgcvs_basis(v.order);
  const double jacobian = points * (unknowns * unknowns * 2 + law_variables(v.law) * (p + 1) * (4 * p + 2) * 6);
  return 5 * (jacobian + 2 * unknowns * unknowns * unknowns / 3) + dgcvs_flops(v, dgcvs_solve);
}

/// The kernels that launch_dgcvs() runs.
constexpr bool is_dgcvs(KernelId id) {
  return id == KernelId::dgcvs_update || id == KernelId::dgcvs_newton || id == KernelId::dgcvs_linear ||
         id == KernelId::dgcvs_limit;
}

/// Number of nodes of a box that lie next to its sides.
inline std::int64_t rim_points(const Box& box) {
  const std::int64_t nx = box.extent(0);
  const std::int64_t ny = box.extent(1);
  const std::int64_t inner_x = nx > 2 ? nx - 2 : 0;
  const std::int64_t inner_y = ny > 2 ? ny - 2 : 0;
  return nx * ny - inner_x * inner_y;
}

/// Traffic and arithmetic of parts of the update of so many entities.
inline Cost dgcvs_cost(const Variant& v, int parts, double entities) {
  return {entities * dgcvs_reals(v, parts) * static_cast<double>(element_size(v.precision)),
          entities * dgcvs_flops(v, parts)};
}

/// Compulsory traffic and arithmetic of a launch; zero for a kernel that is not in the catalogue.
inline Cost catalogue_cost(const KernelSpec& spec, const Box& box) {
  const CatalogueEntry* entry = find_kernel(spec.name);
  if (entry == nullptr) return {};
  const auto points = static_cast<double>(entry->domain == Domain::rim ? rim_points(box) : box.points());
  if (entry->id == KernelId::dgcvs_linear) {
    const double basis = dgcvs_basis(variant_of(spec).order);
    return {points * (2.0 * basis * static_cast<double>(element_size(spec.precision)) + 4.0 * sizeof(std::int64_t)),
            points * 4.0 * 2.0 * basis * basis};
  }
  if (entry->id == KernelId::dgcvs_limit) {
    const Variant variant = variant_of(spec);
    const int space = dgcvs_space(variant.order);
    const double reals = 3.0 * law_variables(variant.law) * dgcvs_basis(variant.order) + 2.0 * space + 4 * 7 + 2;
    const double planes = 2 * 4 * law_variables(variant.law) * (2.0 * dgcvs_basis(variant.order) + 20);
    const double jump = 4.0 * (variant.order + 1) * (variant.order + 1) * (6.0 * space + 20);
    return {points * reals * static_cast<double>(element_size(spec.precision)), points * (planes + jump)};
  }
  if (entry->id == KernelId::dgcvs_update) return dgcvs_cost(variant_of(spec), dgcvs_all, points);
  if (entry->id == KernelId::dgcvs_newton) {
    const Variant variant = variant_of(spec);
    return {dgcvs_cost(variant, dgcvs_solve, points).bytes, points * dgcvs_newton_flops(variant)};
  }
  const double reals_of_f = entry->id == KernelId::jacobi_restrict ? 4.0 : 1.0;  // a coarse node stands for four
  const double reals = entry->reals_per_point + (spec.constant("rhs_array", 0) != 0 ? reals_of_f : 0.0);
  const auto sweeps = static_cast<double>(spec.constant("depth", 1));
  return {points * reals * static_cast<double>(element_size(spec.precision)), points * entry->flops_per_point * sweeps};
}

}  // namespace quoin
