// The limiter of DG-CVS: to the bit against its scalar reference and, within round-off, against its definition
// (design: dg-cvs, section 15), written here a second time in long double.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "kernels/dgcvs/oracle_launch.hpp"

namespace quoin::conformance {
namespace {

using Vector = std::vector<Wide>;

/// One entity as the limiter sees it.
struct Entity {
  Law law;
  int order;
  Vector parameters;
  Wide step, length, threshold;
  Shape shape;
  Vector own;               ///< its coefficients
  std::vector<Vector> old;  ///< those of the old entity of each slot
  std::vector<Vector> old_moments;
  Vector bed{};  ///< its mean, and mean slopes
};

struct Region {
  Spot at;
  Vector mean;
};

Wide polynomial(const Vector& c, std::size_t first, const std::vector<Member>& members, Spot at, Wide s) {
  Wide sum = 0;
  for (std::size_t n = 0; n < members.size(); ++n)
    sum += c[first + n] * power(at.x, members[n].i) * power(at.y, members[n].j) * power(s, members[n].k);
  return sum;
}

Region own_region(const Entity& e, const std::vector<Member>& members) {
  Region region{{}, Vector(static_cast<std::size_t>(law_variables(e.law)))};
  Wide area = 0;
  for (const Slot& slot : e.shape.slots) {
    over_slot(slot, gauss_legendre(e.order + 2), [&](Spot at, Wide weight) {
      area += weight;
      region.at.x += weight * at.x;
      region.at.y += weight * at.y;
      for (std::size_t v = 0; v < region.mean.size(); ++v)
        region.mean[v] += weight * polynomial(e.own, v * members.size(), members, at, 0);
    });
  }
  region.at = {region.at.x / area, region.at.y / area};
  for (Wide& mean : region.mean) mean /= area;
  return region;
}

Region old_region(const Entity& e, const std::vector<Member>& members, std::size_t slot) {
  const Vector& moments = e.old_moments[slot];
  const Slot& quad = e.shape.slots[slot];
  Region region{{quad.b.x + moments[1] / moments[0] / quad.ratio, quad.b.y + moments[2] / moments[0] / quad.ratio}, {}};
  for (int v = 0; v < law_variables(e.law); ++v) {
    Wide sum = 0;
    for (std::size_t n = 0; n < members.size(); ++n) {
      const int degree = members[n].i + members[n].j;
      const int place = degree * (degree + 1) / 2 + members[n].j;
      const Wide coefficient = e.old[slot][static_cast<std::size_t>(v) * members.size() + n];
      sum += coefficient * moments[static_cast<std::size_t>(place)];  // s = 1
    }
    region.mean.push_back(sum / moments[0]);
  }
  return region;
}

/// By how much the jump at the bottom is beyond what the threshold allows, and that.
std::pair<Wide, Wide> jump_of(const Entity& e, const std::vector<Member>& members) {
  Wide jump = 0;
  Wide area = 0;
  Wide largest = 0;
  for (std::size_t k = 0; k < e.shape.slots.size(); ++k) {
    const Slot& slot = e.shape.slots[k];
    over_slot(slot, gauss_legendre(e.order + 1), [&](Spot at, Wide weight) {
      const Spot seen{slot.ratio * (at.x - slot.b.x), slot.ratio * (at.y - slot.b.y)};
      const Wide is = polynomial(e.own, 0, members, at, -1);
      const Wide was = polynomial(e.old[k], 0, members, seen, 0);
      jump += weight * std::abs(is - was);
      area += weight;
      largest = std::max({largest, std::abs(is), std::abs(was)});
    });
  }
  const Wide allowed = e.threshold * largest;
  return {jump / area - allowed, allowed};
}

/// u_t of a state with these slopes, by the Jacobians of the fluxes.
Vector rate_of(const Entity& e, const Vector& u, const Vector& along_x, const Vector& along_y) {
  if (e.law == Law::advection) return {-e.parameters[0] * along_x[0] - e.parameters[1] * along_y[0]};
  if (e.law == Law::burgers) return {-u[0] * along_x[0] - u[0] * along_y[0]};
  const bool bed = !e.bed.empty();
  const Wide h = u[0] - (bed ? e.bed[0] : 0);
  const Wide p = u[1] / h;
  const Wide q = u[2] / h;
  const Wide wave = e.parameters[0] * h;
  const Wide a[3][3] = {{0, 1, 0}, {wave - p * p, 2 * p, 0}, {-p * q, q, p}};
  const Wide b[3][3] = {{0, 0, 1}, {-p * q, q, p}, {wave - q * q, 0, 2 * q}};
  Vector rate(3);
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      rate[row] -= a[row][column] * along_x[column] + b[row][column] * along_y[column];
  if (!bed) return rate;
  for (std::size_t row = 0; row < 3;
       ++row) {  // the depth's slopes are the surface's less the bed's; not so in the wave
    const Wide of_wave_x = row == 1 ? wave : 0;
    const Wide of_wave_y = row == 2 ? wave : 0;
    rate[row] += ((a[row][0] - of_wave_x) * e.bed[1] + (b[row][0] - of_wave_y) * e.bed[2]) * e.length;
  }
  const Wide coefficient = e.parameters[2] < 0 ? -e.parameters[2] : e.parameters[2] / std::cbrt(h);
  const Wide drag = e.parameters[0] * coefficient * std::hypot(p, q);
  rate[0] += e.parameters[3] * e.length;
  rate[1] -= drag * p * e.length;
  rate[2] -= drag * q * e.length;
  return rate;
}

Vector limited(const Entity& e, const std::vector<Member>& members) {
  const Region own = own_region(e, members);
  const std::size_t variables = own.mean.size();
  std::vector<Region> around;
  for (std::size_t k = 0; k < e.shape.slots.size(); ++k) around.push_back(old_region(e, members, k));
  Vector along_x(variables);
  Vector along_y(variables);
  for (std::size_t v = 0; v < variables; ++v) {
    std::vector<Spot> planes;
    for (std::size_t k = 0; k < around.size(); ++k) {
      const Region& one = around[k];
      const Region& two = around[(k + 1) % around.size()];
      const Spot to_one{one.at.x - own.at.x, one.at.y - own.at.y};
      const Spot to_two{two.at.x - own.at.x, two.at.y - own.at.y};
      const Wide area = to_one.x * to_two.y - to_one.y * to_two.x;
      if (area < 1e-6L) continue;  // no angle between them, or one beyond 180 degrees
      const Wide up_one = one.mean[v] - own.mean[v];
      const Wide up_two = two.mean[v] - own.mean[v];
      planes.push_back(
          {(up_one * to_two.y - up_two * to_one.y) / area, (to_one.x * up_two - to_two.x * up_one) / area});
    }
    Wide largest = 0;
    for (const Spot g : planes) largest = std::max(largest, g.x * g.x + g.y * g.y);
    Wide weights = 0;
    for (const Spot g : planes) {
      const Wide weight = 1 / (g.x * g.x + g.y * g.y + 1e-10L * largest + 1e-30L);
      weights += weight;
      along_x[v] += weight * g.x;
      along_y[v] += weight * g.y;
    }
    if (planes.empty()) continue;
    along_x[v] /= weights;
    along_y[v] /= weights;
  }
  const Vector rate = rate_of(e, own.mean, along_x, along_y);
  Vector c(e.own.size());
  for (std::size_t v = 0; v < variables; ++v) {
    for (std::size_t n = 0; n < members.size(); ++n) {
      const auto& [i, j, k] = members[n];
      Wide& value = c[v * members.size() + n];
      if (i + j + k == 0) value = own.mean[v] - along_x[v] * own.at.x - along_y[v] * own.at.y;
      if (i == 1 && j + k == 0) value = along_x[v];
      if (j == 1 && i + k == 0) value = along_y[v];
      if (k == 1 && i + j == 0) value = e.step * rate[v];
    }
  }
  return c;
}

template <class T>
struct Launch {
  DeviceUnderTest& bench;
  Law law;
  int order;
  int slots;
  bool boundary;
  Style style;

  void run() {
    const Box box{{8, 0, 0}, {32, 1, 1}, {0, 0, 0}};
    const std::vector<Member> members = basis_of(order);
    const std::int64_t values = law_variables(law) * dgcvs_basis(order);
    const std::int64_t space = dgcvs_space(order);
    DeclaredLaunch<T> launch(
        bench, {"dgcvs_limit", precision_of<T>, {{"law", static_cast<std::int64_t>(law)}, {"order", order}}},
        {{"", 40, 1, box, style}}, {{"slots", slots}, {"tau", entity_tau}},
        {{"old", {old_entities, dgcvs_values(law, order)}}, {"old_moments", {old_entities, space}}});
    Field<T>&own = launch.field("own"), &old = launch.field("old"), &old_moments = launch.field("old_moments");
    Field<std::int64_t>& neighbour = launch.integers("neighbour");
    const View<T> length = launch.view("inverse_length"), threshold = launch.view("threshold");

    std::mt19937_64 random(static_cast<unsigned>(10 * static_cast<int>(law) + order));
    const Vector given = put_parameters(law, true, launch);
    for (std::int64_t e = 0; e < old_entities; ++e) {
      put(old, e, random_polynomials(random, law, order));
      Vector list(static_cast<std::size_t>(space));
      for (std::size_t m = 0; m < list.size(); ++m)
        list[m] = m == 0 ? uniform(random, 3, 5) : uniform(random, -0.5L, 0.5L);
      put(old_moments, e, list);
    }
    constexpr std::array<Wide, 3> thresholds{-1, 0.2L, 100};  // in any case, sometimes, never
    std::vector<Entity> entities;
    for (std::int64_t e = box.lower[0]; e < box.upper[0]; ++e) {
      Entity entity{law, order, given, 0, 0, thresholds.at(static_cast<std::size_t>(e % 3)), {}, {}, {}, {}};
      entity.shape = boundary ? random_boundary_vertex(random, slots) : random_cell(random, slots, 0);
      put(own, e, random_polynomials(random, law, order));
      put(launch.field("moments"), e, moments_of(entity.shape, order));
      length(e, 0) = static_cast<T>(uniform(random, 3, 5));
      threshold(e, 0) = static_cast<T>(entity.threshold);
      entity.threshold = static_cast<Wide>(threshold(e, 0));
      put_slots(random, e, entity.shape, slots, neighbour, launch.field("geometry"), e);
      for (std::size_t slot = 0; slot < entity.shape.slots.size(); ++slot) {
        const std::int64_t from = neighbour.view()(e, static_cast<std::int64_t>(slot));
        entity.old.push_back(column(old, from, values));
        entity.old_moments.push_back(column(old_moments, from, space));
      }
      entity.own = column(own, e, values);
      entity.step = static_cast<Wide>(static_cast<T>(entity_tau)) * static_cast<Wide>(length(e, 0));
      entity.length = 1 / static_cast<Wide>(length(e, 0));
      if (law_has_bed(law)) {
        put(launch.field("bed"), e,
            random_bed(random, static_cast<std::size_t>(slots) * static_cast<std::size_t>(dgcvs_bed(order))));
        put(launch.field("bed_slope"), e, random_bed(random, 3));
        entity.bed = column(launch.field("bed_slope"), e, 3);
      }
      entities.push_back(std::move(entity));
    }

    launch.run([&](const auto&) { run_reference_on(launch.trial.fields(), launch.variant, box, launch.arguments); });

    constexpr double round_off = 1e4 * static_cast<double>(std::numeric_limits<T>::epsilon());
    for (std::size_t k = 0; k < entities.size(); ++k) {
      const auto [excess, allowed] = jump_of(entities[k], members);
      if (std::abs(excess) < 1e-3L * std::abs(allowed)) continue;  // either answer is right
      compare_with_definition(bench, own, box.lower[0] + static_cast<std::int64_t>(k),
                              excess >= 0 ? limited(entities[k], members) : entities[k].own, round_off, "limiter");
    }
  }
};

template <class T>
void limit_check(DeviceUnderTest& bench, Cases& cases) {
  each_law_and_order<T>(1, Law::shallow_water_bed, [&](Law law, int order, const std::string& name) {
    cases(name, [&] { Launch<T>{bench, law, order, 5, false, Style::native}.run(); });
    cases(name + ", odd pitch and offset", [&] { Launch<T>{bench, law, order, 8, false, Style::odd}.run(); });
    cases(name + ", boundary vertices", [&] { Launch<T>{bench, law, order, 3, true, Style::native}.run(); });
  });
}

const RegisterOracles limit_oracle{{"dgcvs_limit", limit_check<double>, limit_check<float>}};

}  // namespace

}  // namespace quoin::conformance
