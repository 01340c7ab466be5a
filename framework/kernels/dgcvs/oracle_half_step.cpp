#include "kernels/dgcvs/oracle_half_step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace quoin::conformance {
namespace {

using Vector = std::vector<Wide>;

struct Flux {
  Vector along_x, along_y;
};

/// Of water; behind its variables is the bed, where there is one.
Wide depth_of(const Vector& u) { return u.size() > 3 ? u[0] - u[3] : u[0]; }

Flux flux_of(Law law, const Vector& parameters, const Vector& u) {
  switch (law) {
    case Law::advection:
      return {{parameters[0] * u[0]}, {parameters[1] * u[0]}};
    case Law::burgers:
      return {{u[0] * u[0] / 2}, {u[0] * u[0] / 2}};
    case Law::shallow_water:
    case Law::shallow_water_bed:
      break;
  }
  const Wide h = depth_of(u);
  const Wide pressure = parameters[0] * h * h / 2;
  return {{u[1], u[1] * u[1] / h + pressure, u[1] * u[2] / h}, {u[2], u[1] * u[2] / h, u[2] * u[2] / h + pressure}};
}

/// Rain, depth times the slope of the surface, and friction by Manning's law or by Chezy's.
Vector source_of(const Vector& parameters, const Vector& u, Wide slope_x, Wide slope_y) {
  const Wide h = depth_of(u);
  const Wide coefficient = parameters[2] < 0 ? -parameters[2] : parameters[2] / std::cbrt(h);
  const Wide drag = parameters[0] * coefficient * std::hypot(u[1], u[2]) / h;
  return {parameters[3], -parameters[0] * h * slope_x - drag * u[1] / h,
          -parameters[0] * h * slope_y - drag * u[2] / h};
}

Vector across(const Flux& flux, Spot normal) {
  Vector sum;
  sum.reserve(flux.along_x.size());
  for (std::size_t v = 0; v < flux.along_x.size(); ++v)
    sum.push_back(flux.along_x[v] * normal.x + flux.along_y[v] * normal.y);
  return sum;
}

/// The flux through a boundary face with the state `u` inside and `outside` beyond, for the normal times its length.
Vector boundary_flux(const HalfStep& p, const Vector& u, const Vector& outside, int kind, Spot normal) {
  Vector beyond = kind <= 0 ? outside : u;
  if (kind == -1) {  // a stage: the discharge from inside, or its velocity where the depth outside is less
    const Wide share = std::min<Wide>(1, (outside[0] - u[3]) / depth_of(u));
    beyond = {outside[0], share * u[1], share * u[2]};
  }
  if (kind == -2) {  // a discharge: the surface from inside, which is no lower than critical where it comes in
    const bool comes_in = outside[1] * normal.x + outside[2] * normal.y < 0;
    const Wide square = outside[1] * outside[1] + outside[2] * outside[2];
    beyond[0] = std::max(u[0], u[3] + (comes_in ? std::cbrt(square / p.parameters[0]) : 0));
  }
  if (beyond.size() < u.size()) beyond.push_back(u.back());  // the bed
  const auto through = [&](const Vector& state) { return across(flux_of(p.law, p.parameters, state), normal); };
  if (p.law == Law::advection) {
    const bool out = p.parameters[0] * normal.x + p.parameters[1] * normal.y >= 0;
    return through(out ? u : beyond);
  }
  if (p.law == Law::burgers) return through((u[0] + beyond[0]) / 2 * (normal.x + normal.y) >= 0 ? u : beyond);
  if (kind == 2) {
    const Wide pressure = p.parameters[0] * depth_of(u) * depth_of(u) / 2;
    return {0, pressure * normal.x, pressure * normal.y};
  }
  const auto speed = [&](const Vector& state) {
    const Wide velocity = (state[1] * normal.x + state[2] * normal.y) / depth_of(state);
    return std::abs(velocity) + std::sqrt(p.parameters[0] * depth_of(state)) * std::hypot(normal.x, normal.y);
  };
  if (kind == -2) return through(beyond);
  const Wide fastest = std::max(speed(u), speed(beyond));
  Vector flux = through(u);
  const Vector other = through(beyond);
  for (std::size_t v = 0; v < flux.size(); ++v) flux[v] = (flux[v] + other[v] - fastest * (beyond[v] - u[v])) / 2;
  return flux;
}

class System {
 public:
  explicit System(const HalfStep& problem)
      : p_(problem),
        members_(basis_of(problem.order)),
        variables_(static_cast<std::size_t>(law_variables(problem.law))),
        rule_(gauss_legendre(problem.order + 1)),
        inverse_(inverse_of_t()) {}

  Vector solve() {
    const Vector known = right_hand_side();
    Vector c = start();
    for (int sweep = 0; sweep < p_.sweeps; ++sweep) {
      Vector b = known;
      add_volume(c, b);
      if (p_.implicit) add_faces(&c, b);
      const Vector next = invert(b);
      // After the first sweep, implicit boundaries need Chebyshev's weights for errors times factors in [-1.6, 0].
      constexpr Wide weights[] = {0.3938L, 0.9426L, 0.4748L, 0.6694L};
      const Wide weight = p_.implicit && sweep > 0 ? weights[sweep % 4] : 1;
      for (std::size_t n = 0; n < c.size(); ++n) c[n] += weight * (next[n] - c[n]);
    }
    return c;
  }

 private:
  /// Values of the basis, and of its derivatives along X and Y.
  Vector values(Spot at, Wide s, int derivative = 0) const {
    Vector phi;
    phi.reserve(members_.size());
    for (const auto& [i, j, k] : members_) {
      const Wide x = derivative == 1 ? (i == 0 ? 0 : i * power(at.x, i - 1)) : power(at.x, i);
      const Wide y = derivative == 2 ? (j == 0 ? 0 : j * power(at.y, j - 1)) : power(at.y, j);
      phi.push_back(x * y * power(s, k));
    }
    return phi;
  }
  Vector state(const Vector& c, const Vector& phi) const {
    Vector u(variables_);
    for (std::size_t v = 0; v < variables_; ++v)
      for (std::size_t n = 0; n < phi.size(); ++n) u[v] += c[v * phi.size() + n] * phi[n];
    return u;
  }
  Vector state(const Polynomials& old, Spot at, Wide s) const {
    return state(old.c, values({old.ratio * (at.x - old.origin.x), old.ratio * (at.y - old.origin.y)}, s));
  }
  void add(Vector& b, Wide factor, const Vector& phi, const Vector& u) const {
    for (std::size_t v = 0; v < variables_; ++v)
      for (std::size_t n = 0; n < phi.size(); ++n) b[v * phi.size() + n] += factor * phi[n] * u[v];
  }

  /// Calls visit(point, time, at, t) for the Gauss points of an edge and of the half step, t in [0, 1].
  template <class Visit>
  void over_face(Spot from, Spot to, Visit&& visit) const {
    for (std::size_t i = 0; i < rule_.nodes.size(); ++i) {
      const Wide r = rule_.nodes[i];
      for (std::size_t t = 0; t < rule_.nodes.size(); ++t) {
        visit(i * rule_.nodes.size() + t, Spot{from.x + r * (to.x - from.x), from.y + r * (to.y - from.y)},
              rule_.nodes[t], p_.step * rule_.weights[i] * rule_.weights[t]);
      }
    }
  }
  /// visit(point, t, weight, normal, bed there) of both lateral faces of a slot.
  template <class Visit>
  void over_lateral(std::size_t k, Visit&& visit) const {
    const Slot& slot = p_.shape.slots[k];
    std::size_t bed = rule_.nodes.size() * rule_.nodes.size();
    for (const auto& [from, to] : {std::pair{slot.a, slot.b}, std::pair{slot.b, slot.c}}) {
      for (std::size_t i = 0; i < rule_.nodes.size(); ++i, ++bed) {
        const Wide r = rule_.nodes[i];
        for (std::size_t t = 0; t < rule_.nodes.size(); ++t)
          visit(Spot{from.x + r * (to.x - from.x), from.y + r * (to.y - from.y)}, rule_.nodes[t],
                p_.step * rule_.weights[i] * rule_.weights[t], normal_of(from, to),
                p_.bed.empty() ? nullptr : &p_.bed[k][bed]);
      }
    }
  }
  /// The state with the bed behind it, where there is one.
  static Vector on(Vector u, const Wide* bed) {
    if (bed != nullptr) u.push_back(*bed);
    return u;
  }
  static Spot normal_of(Spot from, Spot to) { return {to.y - from.y, from.x - to.x}; }

  Vector right_hand_side() const {
    Vector b(variables_ * members_.size());
    for (std::size_t k = 0; k < p_.shape.slots.size(); ++k) {
      const Slot& slot = p_.shape.slots[k];
      over_slot(slot, rule_, [&](Spot at, Wide weight) { add(b, weight, values(at, -1), state(p_.old[k], at, 0)); });
      over_lateral(k, [&](Spot at, Wide t, Wide weight, Spot normal, const Wide* bed) {
        const Flux flux = flux_of(p_.law, p_.parameters, on(state(p_.old[k], at, t), bed));
        add(b, -weight, values(at, t - 1), across(flux, normal));
      });
    }
    if (!p_.implicit) add_faces(nullptr, b);
    return b;
  }

  /// Boundary fluxes of the iterate `c`; of the old polynomials without one, in place of their own flux there.
  void add_faces(const Vector* c, Vector& b) const {
    for (std::size_t k = 0; k < p_.shape.faces.size(); ++k) {
      const HalfFace& face = p_.shape.faces[k];
      const Spot normal = normal_of(face.from, face.to);
      over_face(face.from, face.to, [&](std::size_t point, Spot at, Wide t, Wide weight) {
        const Wide* bed = p_.face_bed.empty() ? nullptr : &p_.face_bed[k][point / rule_.nodes.size()];
        const Vector u = on(c != nullptr ? state(*c, values(at, t - 1)) : state(p_.behind[k], at, t), bed);
        const auto first = p_.outside[k].begin() + static_cast<std::ptrdiff_t>(point * variables_);
        const Vector outside(first, first + static_cast<std::ptrdiff_t>(variables_));
        add(b, -weight, values(at, t - 1), boundary_flux(p_, u, outside, face.kind, normal));
        if (c != nullptr && bed != nullptr) add(b, weight, values(at, t - 1), pressure_on(u, normal));
        if (c == nullptr) add(b, weight, values(at, t - 1), across(flux_of(p_.law, p_.parameters, u), normal));
      });
    }
  }

  Vector pressure_on(const Vector& u, Spot normal) const {
    const Wide pressure = p_.parameters[0] * depth_of(u) * depth_of(u) / 2;
    return {0, pressure * normal.x, pressure * normal.y};
  }

  /// What the water carries, sources, and on the lateral faces the entity's own pressure.
  void add_bed_volume(const Vector& c, Vector& b) const {
    const Wide tau = p_.step * p_.length;
    for (std::size_t k = 0; k < p_.shape.slots.size(); ++k) {
      const Wide* bed = p_.bed[k].data();
      over_slot(p_.shape.slots[k], rule_, [&](Spot at, Wide weight) {
        for (std::size_t t = 0; t < rule_.nodes.size(); ++t) {
          const Wide s = rule_.nodes[t] - 1;
          const Vector u = on(state(c, values(at, s)), bed);
          Flux flux = flux_of(p_.law, p_.parameters, u);
          flux.along_x[1] -= p_.parameters[0] * depth_of(u) * depth_of(u) / 2;
          flux.along_y[2] -= p_.parameters[0] * depth_of(u) * depth_of(u) / 2;
          add(b, weight * p_.step * rule_.weights[t], values(at, s, 1), flux.along_x);
          add(b, weight * p_.step * rule_.weights[t], values(at, s, 2), flux.along_y);
          const Wide slope_x = state(c, values(at, s, 1))[0] / p_.length;
          const Wide slope_y = state(c, values(at, s, 2))[0] / p_.length;
          add(b, weight * tau * rule_.weights[t], values(at, s), source_of(p_.parameters, u, slope_x, slope_y));
        }
        ++bed;
      });
      over_lateral(k, [&](Spot at, Wide t, Wide weight, Spot normal, const Wide* height) {
        const Vector phi = values(at, t - 1);
        add(b, weight, phi, pressure_on(on(state(c, phi), height), normal));
      });
    }
  }

  /// Products of polynomials are integrated exactly in space; where the flux is none, by the scheme's points: of the
  /// sub-quads one fewer along an axis than elsewhere.
  void add_volume(const Vector& c, Vector& b) const {
    if (law_has_bed(p_.law)) return add_bed_volume(c, b);
    const Rule time = gauss_legendre(std::max(p_.order, 1));
    const bool by_points = p_.law == Law::shallow_water;
    const Rule space = by_points ? time : gauss_legendre(3 * p_.order / 2 + 1);
    const auto add_quad = [&](const Slot& quad, Spot corner, const Rule& rule) {
      over_slot(quad, rule, [&](Spot seen, Wide weight) {
        const Spot at{corner.x + seen.x, corner.y + seen.y};
        for (std::size_t t = 0; t < time.nodes.size(); ++t) {
          const Wide s = time.nodes[t] - 1;
          const Flux flux = flux_of(p_.law, p_.parameters, state(c, values(at, s)));
          add(b, weight * p_.step * time.weights[t], values(at, s, 1), flux.along_x);
          add(b, weight * p_.step * time.weights[t], values(at, s, 2), flux.along_y);
        }
      });
    };
    if (by_points && !p_.shape.region.empty()) {
      const std::vector<Spot>& corners = p_.shape.region;
      const auto seen = [&](const Spot& corner) { return Spot{corner.x - corners[0].x, corner.y - corners[0].y}; };
      return add_quad({seen(corners[1]), seen(corners[2]), seen(corners[3])}, corners[0], rule_);
    }
    for (const Slot& slot : p_.shape.slots) add_quad(slot, {}, space);
  }

  /// The previous polynomials a whole step later, or the mean of the old solution over the bottom.
  Vector start() const {
    const std::size_t basis = members_.size();
    Vector c(variables_ * basis);
    if (p_.from_mean) {
      const Wide area = moments_of(p_.shape, 0).front();
      for (std::size_t k = 0; k < p_.shape.slots.size(); ++k) {
        over_slot(p_.shape.slots[k], rule_, [&](Spot at, Wide weight) {
          const Vector u = state(p_.old[k], at, 0);
          for (std::size_t v = 0; v < variables_; ++v) c[v * basis] += weight / area * u[v];
        });
      }
      return c;
    }
    for (std::size_t v = 0; v < variables_; ++v) {
      for (std::size_t n = 0; n < basis; ++n) {
        Wide binomial = 1;  // of s^k = sum over l of binomial(k, l) 2^(k-l) s^l
        for (int l = members_[n].k; l >= 0; --l) {
          const auto same = [&, l](const Member& m) {
            return m.i == members_[n].i && m.j == members_[n].j && m.k == l;
          };
          const auto place = std::ranges::find_if(members_, same) - members_.begin();
          c[v * basis + static_cast<std::size_t>(place)] += binomial * p_.previous[v * basis + n];
          binomial *= 2 * static_cast<Wide>(l) / (members_[n].k - l + 1);
        }
      }
    }
    return c;
  }

  /// The inverse of T_ij = int_top phi_i phi_j - int phi_i,s phi_j, by Gaussian elimination of (T, 1).
  [[nodiscard]] std::vector<Vector> inverse_of_t() const {
    const std::size_t basis = members_.size();
    std::vector<Vector> rows(basis, Vector(2 * basis));
    for (const Slot& slot : p_.shape.slots) {
      over_slot(slot, rule_, [&](Spot at, Wide weight) {
        const Vector space = values(at, 1);
        for (std::size_t i = 0; i < basis; ++i)
          for (std::size_t j = 0; j < basis; ++j) rows[i][j] += weight * space[i] * space[j];
      });
    }
    for (std::size_t i = 0; i < basis; ++i) {
      for (std::size_t j = 0; j < basis; ++j) {
        const int k = members_[i].k;
        const int l = members_[j].k;
        if (k == 0) rows[i][j] *= l == 0 ? 1 : 0;
        if (k > 0) rows[i][j] *= ((k + l) % 2 == 0 ? 1 : -1) * static_cast<Wide>(k) / (k + l);
      }
      rows[i][basis + i] = 1;
    }
    for (std::size_t column = 0; column < basis; ++column) {
      const auto smaller = [&](const Vector& x, const Vector& y) { return std::abs(x[column]) < std::abs(y[column]); };
      const auto top = rows.begin() + static_cast<std::ptrdiff_t>(column);
      std::iter_swap(top, std::max_element(top, rows.end(), smaller));
      for (std::size_t i = 0; i < basis; ++i) {
        const Wide factor = i == column ? 0 : rows[i][column] / rows[column][column];
        for (std::size_t j = column; j < 2 * basis; ++j) rows[i][j] -= factor * rows[column][j];
      }
    }
    for (std::size_t i = 0; i < basis; ++i) {
      const Wide diagonal = rows[i][i];
      rows[i].erase(rows[i].begin(), rows[i].begin() + static_cast<std::ptrdiff_t>(basis));
      for (Wide& entry : rows[i]) entry /= diagonal;
    }
    return rows;
  }
  [[nodiscard]] Vector invert(const Vector& b) const {
    const std::size_t basis = members_.size();
    Vector c(b.size());
    for (std::size_t v = 0; v < variables_; ++v)
      for (std::size_t i = 0; i < basis; ++i)
        for (std::size_t j = 0; j < basis; ++j) c[v * basis + i] += inverse_[i][j] * b[v * basis + j];
    return c;
  }

  const HalfStep& p_;
  std::vector<Member> members_;
  std::size_t variables_;
  Rule rule_;
  std::vector<Vector> inverse_;
};

}  // namespace

std::vector<Wide> solve(const HalfStep& problem) { return System(problem).solve(); }

}  // namespace quoin::conformance
