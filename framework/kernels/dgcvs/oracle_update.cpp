// The kernels of DG-CVS but the limiter: half steps to the bit against their scalar reference and, within round-off,
// against the definition of the scheme; the others to the bit against their definitions.

#include <algorithm>
#include <array>
#include <string>

#include "kernels/dgcvs/oracle_half_step.hpp"
#include "kernels/dgcvs/oracle_launch.hpp"

namespace quoin::conformance {
namespace {

/// One launch over the entities [first, last) of `lanes`.
struct Situation {
  std::string name;
  std::int64_t lanes, first, last;
  int slots, faces;
  int sweeps;
  bool from_mean = false, implicit = false;
  Style style = Style::native;
  bool repeated = false;
  int parts = dgcvs_all;  ///< the reference does those that come before, and the check ends with dgcvs_solve
};

std::vector<Situation> update_situations(int order) {
  const int sweeps = order + 2;
  const auto part = [&](const std::string& name, bool from_mean, Style style, int parts) {
    return Situation{name, 24, 8, 24, 4, 3, sweeps, from_mean, false, style, false, parts};
  };
  return {
      {"inner entities", 16, 0, 16, 5, 0, sweeps},
      {"inner entities from the mean, one sweep more, inside larger arrays", 40, 8, 32, 8, 0, sweeps + 1, true, false,
       Style::odd},
      {"no sweep", 8, 0, 8, 4, 0, 0},
      {"boundary cells", 24, 8, 24, 4, 3, sweeps},
      {"boundary cells from the mean", 24, 8, 24, 4, 3, sweeps, true, false, Style::odd},
      {"boundary vertices", 24, 8, 24, 3, 2, 2 * sweeps, false, true},
      {"boundary vertices from the mean, an odd number of sweeps", 24, 8, 24, 4, 2, 2 * sweeps + 1, true, true,
       Style::odd},
      {"no boundary faces but their condition on the new solution", 8, 0, 8, 4, 0, sweeps, false, true},
      {"repeated", 24, 8, 16, 4, 2, sweeps, false, true, Style::native, true},
      part("lateral loop", false, Style::odd, dgcvs_lateral),
      part("sub-quad loop", false, Style::native, dgcvs_bottom),
      part("right-hand side", false, Style::native, dgcvs_all & ~dgcvs_solve),
      part("entity loop", true, Style::odd, dgcvs_join | dgcvs_solve),
      {"empty box", 8, 8, 8, 4, 0, sweeps},
  };
}

std::vector<Situation> newton_situations(int) {
  constexpr int iterations = 5;  // of few entities, because the scalar reference takes its time
  return {
      {"inner entities", 8, 0, 8, 5, 0, iterations, false, false, Style::native, false, dgcvs_solve},
      {"boundary cells from the mean", 24, 8, 16, 4, 3, iterations, true, false, Style::odd, false, dgcvs_solve},
      {"empty box", 8, 8, 8, 4, 0, iterations, false, false, Style::native, false, dgcvs_solve},
  };
}

/// The buffers of one launch of dgcvs_update or dgcvs_newton.
template <class T>
class Update {
 public:
  Update(DeviceUnderTest& bench, const std::string& kernel, Law law, int order, const Situation& s)
      : bench_(bench),
        s_(s),
        spec_{kernel, precision_of<T>, {{"law", static_cast<std::int64_t>(law)}, {"order", order}}},
        variant_(variant_of(spec_)),
        shape_(variant_),
        box_{{s.first, 0, 0}, {s.last, 1, 1}, {0, 0, 0}},
        trial_(bench, spec_),
        variables_(law_variables(law)),
        own_(reals("own", s.lanes, variables_ * dgcvs_basis(order))),
        old_(trial_.field<T>("old", place_entities(old_entities, variables_ * dgcvs_basis(order), s.style))),
        neighbour_(integers("neighbour", s.lanes, s.slots)),
        geometry_(reals("geometry", s.lanes, s.slots * dgcvs_geometry)),
        factor_(reals("factor", s.lanes, dgcvs_space(order) * (dgcvs_space(order) + 1) / 2)),
        moments_(reals("moments", s.lanes, dgcvs_moments(order))),
        length_(reals("length", s.lanes, 1)),
        law_(trial_.field<T>("law_parameters", place_array(2, s.style))),
        behind_(integers("behind", face_lanes(), s.faces)),
        face_(reals("face", face_lanes(), s.faces * dgcvs_face)),
        outside_(reals("outside", face_lanes(), s.faces * (order + 1) * (order + 1) * variables_)),
        rhs_(reals("rhs", s.lanes, variables_ * (dgcvs_basis(order) + dgcvs_space(order)))) {
    set();
  }

  void check() {
    const std::vector<Argument> arguments = arguments_for(s_.parts);
    if ((s_.parts & (dgcvs_lateral | dgcvs_bottom)) == 0)
      run_reference_on(trial_.fields(), update_variant(), box_, arguments_for(dgcvs_all & ~s_.parts));
    trial_.launch(box_, arguments);
    const std::vector<HalfStep> problems = some_problems();
    run_reference_on(trial_.fields(), variant_, box_, arguments);
    trial_.compare();
    const double round_off = 100.0 * std::pow(10.0, shape_.order) * std::numeric_limits<T>::epsilon();
    for (std::size_t k = 0; k < problems.size(); ++k)
      compare_with_definition(bench_, own_, entity(k), solve(problems[k]), round_off, "scheme");
    if (s_.repeated) trial_.repeat();
  }

 private:
  static constexpr int converged_sweeps = 16;  // Newton's method and sweeps go to the same solution

  Field<T>& reals(const std::string& name, std::int64_t lanes, std::int64_t rows) {
    return trial_.field<T>(name, place_entities(lanes, rows, s_.style));
  }
  Field<std::int64_t>& integers(const std::string& name, std::int64_t lanes, std::int64_t rows) {
    return trial_.field<std::int64_t>(name, place_entities(lanes, rows, s_.style));
  }
  [[nodiscard]] bool newton() const { return variant_.id == KernelId::dgcvs_newton; }
  [[nodiscard]] Variant update_variant() const {
    Variant variant = variant_;
    variant.id = KernelId::dgcvs_update;
    return variant;
  }
  [[nodiscard]] std::vector<Argument> arguments_for(int parts) {
    const auto optional = [](bool present, auto& field) { return present ? field.argument() : Argument::absent(); };
    return {own_.argument(),
            old_.argument(),
            neighbour_.argument(),
            geometry_.argument(),
            factor_.argument(),
            moments_.argument(),
            length_.argument(),
            optional(law_parameters(shape_.law) > 0, law_),
            optional(s_.faces > 0, behind_),
            optional(s_.faces > 0, face_),
            optional(s_.faces > 0, outside_),
            Argument::integer(s_.slots),
            Argument::integer(s_.faces),
            Argument::integer(s_.sweeps),
            Argument::integer(s_.from_mean ? 1 : 0),
            Argument::integer(s_.implicit ? 1 : 0),
            Argument::real(entity_tau),
            Argument::integer(s_.first),
            optional(parts != dgcvs_all, rhs_),
            Argument::integer(parts)};
  }
  /// Lane 0 of the arrays of faces is the launch's first entity.
  [[nodiscard]] std::int64_t face_lanes() const { return s_.last - s_.first; }

  void set() {
    std::mt19937_64 random(static_cast<unsigned>(100 * static_cast<int>(shape_.law) + shape_.order));
    parameters_ = put_parameters(shape_.law, law_);
    for (std::int64_t e = 0; e < old_entities; ++e) put(old_, e, random_polynomials(random, shape_.law, shape_.order));
    for (std::int64_t e = s_.first; e < s_.last; ++e) {
      Shape shape = s_.implicit ? random_boundary_vertex(random, s_.slots) : random_cell(random, s_.slots, s_.faces);
      if (s_.faces == 0) shape.faces.clear();
      set_entity(random, e, shape);
      shapes_.push_back(std::move(shape));
    }
  }

  void set_entity(std::mt19937_64& random, std::int64_t e, const Shape& shape) {
    const int order = shape_.order;
    put(own_, e, random_polynomials(random, shape_.law, order));
    put(factor_, e, inverse_cholesky(shape, order));
    put(moments_, e, moments_of(shape, dgcvs_moment_degree(order)));
    length_.view()(e, 0) = static_cast<T>(uniform(random, 3, 5));
    put_slots(random, e, shape, s_.slots, neighbour_, geometry_);
    for (int k = 0; k < s_.faces; ++k) set_face(random, e, shape, k);
  }

  void set_face(std::mt19937_64& random, std::int64_t e, const Shape& shape, int k) {
    const int points = (shape_.order + 1) * (shape_.order + 1);
    const std::int64_t lane = e - s_.first;
    std::vector<Wide> states;
    behind_.view()(lane, k) = neighbour_.view()(e, 0);
    std::array<Wide, dgcvs_face> values{0, 0, 0, 0, 0, 0, 0, 1};  // an unused face has no length and is open
    const auto values_each = points * variables_;
    states.resize(static_cast<std::size_t>(values_each));
    if (static_cast<std::size_t>(k) < shape.faces.size()) {
      const auto& [from, to, slot, kind] = shape.faces[static_cast<std::size_t>(k)];
      const Slot& q = shape.slots[slot];
      behind_.view()(lane, k) = neighbour_.view()(e, static_cast<std::int64_t>(slot));
      values = {from.x, from.y, to.x, to.y, q.b.x, q.b.y, q.ratio, static_cast<Wide>(kind)};
      for (std::size_t n = 0; n < states.size(); ++n) {
        const bool depth = shape_.law == Law::shallow_water && n % 3 == 0;
        states[n] = depth ? uniform(random, 0.9L, 1.1L) : uniform(random, -0.5L, 0.5L);
      }
    }
    put(face_, lane, values, std::int64_t{k} * dgcvs_face);
    put(outside_, lane, states, static_cast<std::int64_t>(k) * points * variables_);
  }

  /// The entities that are held against the definition, which takes its time.
  [[nodiscard]] std::int64_t entity(std::size_t k) const { return s_.first + 5 * static_cast<std::int64_t>(k); }
  std::vector<HalfStep> some_problems() {
    std::vector<HalfStep> problems;
    if ((s_.parts & dgcvs_solve) == 0) return problems;  // the definition has no such parts
    constexpr std::size_t enough = 2;
    for (std::int64_t e = s_.first; e < s_.last && problems.size() < enough; e = entity(problems.size()))
      problems.push_back(problem_of(e));
    return problems;
  }

  HalfStep problem_of(std::int64_t e) {
    const int unknowns = variables_ * dgcvs_basis(shape_.order);
    HalfStep p{shape_.law,   shape_.order, parameters_, 0,  shapes_[static_cast<std::size_t>(e - s_.first)],
               {},           {},           {},          {}, newton() ? converged_sweeps : s_.sweeps,
               s_.from_mean, s_.implicit};
    p.step = static_cast<Wide>(static_cast<T>(entity_tau)) * static_cast<Wide>(length_.view()(e, 0));
    p.previous = column(own_, e, unknowns);
    for (std::size_t k = 0; k < p.shape.slots.size(); ++k) {
      const Slot& slot = p.shape.slots[k];
      p.old.push_back({column(old_, neighbour_.view()(e, static_cast<std::int64_t>(k)), unknowns), slot.b, slot.ratio});
    }
    const int states = (shape_.order + 1) * (shape_.order + 1) * variables_;
    for (std::size_t k = 0; k < p.shape.faces.size(); ++k) {
      p.behind.push_back(p.old[p.shape.faces[k].slot]);
      p.outside.push_back(column(outside_, e - s_.first, states, static_cast<int>(k) * states));
    }
    return p;
  }

  DeviceUnderTest& bench_;
  const Situation& s_;
  KernelSpec spec_;
  Variant variant_;
  DgShape shape_;
  Box box_;
  Trial trial_;
  int variables_;
  Field<T>& own_;
  Field<T>& old_;
  Field<std::int64_t>& neighbour_;
  Field<T>& geometry_;
  Field<T>& factor_;
  Field<T>& moments_;
  Field<T>& length_;
  Field<T>& law_;
  Field<std::int64_t>& behind_;
  Field<T>& face_;
  Field<T>& outside_;
  Field<T>& rhs_;
  std::vector<Wide> parameters_;
  std::vector<Shape> shapes_;
};

template <class T>
void half_step_check(DeviceUnderTest& bench, Cases& cases, const std::string& kernel,
                     std::vector<Situation> (*situations)(int)) {
  each_law_and_order<T>(0, [&](Law law, int order, const std::string& name) {
    for (const Situation& s : situations(order))
      cases(name + ", " + s.name, [&] { Update<T>(bench, kernel, law, order, s).check(); });
  });
}

template <class T>
void update_check(DeviceUnderTest& bench, Cases& cases) {
  half_step_check<T>(bench, cases, "dgcvs_update", update_situations);
}

template <class T>
void newton_check(DeviceUnderTest& bench, Cases& cases) {
  half_step_check<T>(bench, cases, "dgcvs_newton", newton_situations);
}

template <class T>
void linear_case(DeviceUnderTest& bench, int order, std::int64_t slots, std::int64_t last, Style style) {
  constexpr std::int64_t first = 8;
  const std::int64_t basis = dgcvs_basis(order);
  Trial trial(bench, {"dgcvs_linear", precision_of<T>, {{"law", 0}, {"order", order}}});
  auto& own = trial.field<T>("own", place_entities(40, basis, style));
  auto& old = trial.field<T>("old", place_entities(old_entities, basis, style));
  auto& neighbour = trial.field<std::int64_t>("neighbour", place_entities(40, slots, style));
  auto& matrices = trial.field<T>("matrices", place_array(slots * basis * basis, style));
  old.fill(0, old_entities, 0, basis, 1);
  matrices.fill(0, slots * basis * basis, 0, 1, 2);
  std::mt19937_64 random(3);
  for (std::int64_t slot = 0; slot < slots; ++slot) {
    for (std::int64_t e = first; e < last; ++e) {
      const bool adjacent = e / entity_group % 2 == 1;
      neighbour.view()(e, slot) =
          adjacent ? 3 * slot + e % entity_group : static_cast<std::int64_t>(uniform(random, 0, old_entities));
    }
  }
  trial.launch({{first, 0, 0}, {last, 1, 1}, {0, 0, 0}},
               {own.argument(), old.argument(), neighbour.argument(), matrices.argument(), Argument::integer(slots)});
  for (std::int64_t e = first; e < last; ++e) {
    for (std::int64_t n = 0; n < basis; ++n) {
      T sum = 0;
      for (std::int64_t slot = 0; slot < slots; ++slot) {
        for (std::int64_t column = 0; column < basis; ++column) {
          const T entry = matrices[(slot * basis + column) * basis + n];
          sum = std::fma(entry, old.view()(neighbour.view()(e, slot), column), sum);
        }
      }
      own.view()(e, n) = sum;
    }
  }
  trial.compare();
}

template <class T>
void linear_check(DeviceUnderTest& bench, Cases& cases) {
  for (int order = 0; order <= dgcvs_highest_order(precision_of<T>); ++order) {
    const std::string name = "order " + std::to_string(order);
    cases(name, [&] { linear_case<T>(bench, order, 4, 40, Style::native); });
    cases(name + ", odd pitch and offset", [&] { linear_case<T>(bench, order, 6, 24, Style::odd); });
    cases(name + ", empty box", [&] { linear_case<T>(bench, order, 4, 8, Style::native); });
  }
}

template <class T>
void observe_check(DeviceUnderTest& bench, Cases& cases) {
  for (const std::int64_t space : {1, 3, 15}) {
    for (const Style style : {Style::native, Style::odd}) {
      const std::string where = style == Style::odd ? ", odd pitch and offset" : "";
      cases(std::to_string(space) + (space == 1 ? " coefficient" : " coefficients") + where, [&] {
        constexpr std::int64_t lanes = 48;
        Trial trial(bench, {"dgcvs_observe", precision_of<T>, {}});
        auto& own = trial.field<T>("own", place_entities(lanes, space, style));
        auto& moments = trial.field<T>("moments", place_entities(lanes, space, style));
        auto& length = trial.field<T>("length", place_entities(lanes, 1, style));
        auto& mass = trial.field<T>("mass", place_entities(lanes, 1, style));
        auto& square = trial.field<T>("square", place_entities(lanes, 1, style));
        const Box box{{8, 0, 0}, {37, 1, 1}, {0, 0, 0}};
        own.fill(8, 37, 0, space, 1);
        moments.fill(8, 37, 0, space, 2);
        length.fill(8, 37, 0, 1, 3);
        trial.launch(box, {own.argument(), moments.argument(), length.argument(), mass.argument(), square.argument(),
                           Argument::integer(space)});
        for (std::int64_t e = 8; e < 37; ++e) {
          const T area = T(1) / (length.view()(e, 0) * length.view()(e, 0));
          T sum = own.view()(e, 0) * moments.view()(e, 0);
          T squares = own.view()(e, 0) * own.view()(e, 0);
          for (std::int64_t m = 1; m < space; ++m) {
            sum = std::fma(own.view()(e, m), moments.view()(e, m), sum);
            squares = std::fma(own.view()(e, m), own.view()(e, m), squares);
          }
          mass.view()(e, 0) = area * sum;
          square.view()(e, 0) = area * (moments.view()(e, 0) * squares);
        }
        trial.compare();
      });
    }
  }
}

const RegisterOracles registered{
    {"dgcvs_update", update_check<double>, update_check<float>},
    {"dgcvs_newton", newton_check<double>, newton_check<float>},
    {"dgcvs_linear", linear_check<double>, linear_check<float>},
    {"dgcvs_observe", observe_check<double>, observe_check<float>},
};

}  // namespace

}  // namespace quoin::conformance
