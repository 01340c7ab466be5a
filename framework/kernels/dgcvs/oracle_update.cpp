// Half steps of DG-CVS: to the bit against their scalar reference and, within round-off, against the definition of the
// scheme.

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
  std::int64_t mask = -1;
  bool mixed = false;  ///< boundary entities among others, in some sequence
  bool whole = false;
  bool shore = false;  ///< much of the ground is dry; held against the reference alone

  [[nodiscard]] std::int64_t shapes() const { return mask < 0 ? last - first : mask + 1; }
  /// Of groups in turn some entities, none, and all; and their faces, the last group's first.
  [[nodiscard]] bool on_boundary(std::int64_t e) const {
    if (!mixed) return faces > 0 || implicit;
    return group(e) == 1 ? e % 4 == 0 : group(e) == 0;
  }
  [[nodiscard]] static std::int64_t group(std::int64_t e) { return e / entity_group % 3; }
  [[nodiscard]] std::int64_t face_lane(std::int64_t e) const {
    return mixed ? (last - 1) / entity_group * entity_group - e / entity_group * entity_group + e % entity_group
                 : e - first;
  }
  [[nodiscard]] int sweeps_of(std::int64_t e) const { return implicit && on_boundary(e) ? boundary_sweeps() : sweeps; }
  [[nodiscard]] int boundary_sweeps() const { return mixed ? 2 * sweeps + 1 : sweeps; }
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
      {"entities of eight shapes in turn", 40, 8, 32, 5, 0, sweeps, false, false, Style::odd, false, dgcvs_all, 7},
      {"entities of sixteen shapes in turn, from the mean", 40, 0, 40, 4, 0, sweeps, true, false, Style::native, false,
       dgcvs_all, 15},
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
      {"boundary cells among others", 40, 8, 32, 5, 3, sweeps, true, false, Style::native, false, dgcvs_all, -1, true},
      {"boundary vertices among others", 40, 8, 32, 4, 2, sweeps, false, true, Style::odd, false, dgcvs_all, -1, true},
      {"inner entities, points of the whole region", 16, 0, 16, 4, 0, sweeps, false, false, Style::odd, false,
       dgcvs_all, -1, false, true},
      {"boundary cells, points of the whole region, of eight shapes in turn", 24, 8, 24, 4, 3, sweeps, true, false,
       Style::native, false, dgcvs_all, 7, false, true},
      {"entities at a shore", 40, 8, 32, 5, 0, sweeps, false, false, Style::odd, false, dgcvs_all, -1, false, false,
       true},
      {"boundary vertices at a shore", 24, 8, 24, 4, 2, 2 * sweeps + 1, true, true, Style::native, false, dgcvs_all, -1,
       false, false, true},
      {"empty box", 8, 8, 8, 4, 0, sweeps},
  };
}

std::vector<Situation> newton_situations(int) {
  constexpr int iterations = 5;  // of few entities, because the scalar reference takes its time
  return {
      {"inner entities", 8, 0, 8, 5, 0, iterations, false, false, Style::native, false, dgcvs_solve},
      {"boundary cells from the mean", 24, 8, 16, 4, 3, iterations, true, false, Style::odd, false, dgcvs_solve},
      {"entities of eight shapes in turn", 24, 8, 24, 4, 0, iterations, false, false, Style::odd, false, dgcvs_solve,
       7},
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
        variables_(law_variables(law)),
        launch_(bench, {kernel, precision_of<T>, {{"law", static_cast<std::int64_t>(law)}, {"order", order}}},
                {{s.name, s.lanes, 1, {{s.first, 0, 0}, {s.last, 1, 1}, {0, 0, 0}}, s.style}, false, s.repeated},
                {{"slots", s.slots},
                 {"faces", s.faces},
                 {"remapping", s.mixed ? dgcvs_by_face_lane | dgcvs_by_sequence : 0},
                 {"sweeps", s.sweeps},
                 {"boundary_sweeps", s.boundary_sweeps()},
                 {"from_mean", s.from_mean},
                 {"implicit", s.implicit},
                 {"tau", entity_tau},
                 {"whole", s.whole},
                 {"first_lane", s.first},
                 {"shape_mask", static_cast<double>(s.mask)},
                 {"parts", s.parts}},
                {{"old", {old_entities, dgcvs_values(law, order)}},
                 {"geometry", {s.shapes(), s.slots * dgcvs_geometry}},
                 {"region", {s.shapes(), s.whole ? dgcvs_region : 0}},
                 {"factor", {s.shapes(), dgcvs_space(order) * (dgcvs_space(order) + 1) / 2}},
                 {"moments", {s.shapes(), dgcvs_moments(order)}},
                 {"behind", {s.last - s.first, s.faces}},
                 {"face", {s.last - s.first, s.faces * dgcvs_face}},
                 {"outside", {s.last - s.first, s.faces * (order + 1) * (order + 1) * variables_}},
                 {"face_bed", {s.last - s.first, law_has_bed(law) ? s.faces * (order + 1) : 0}}}),
        shape_(launch_.variant) {
    set();
  }

  void check() {
    if ((s_.parts & (dgcvs_lateral | dgcvs_bottom)) == 0) {
      Variant before = launch_.variant;
      before.id = KernelId::dgcvs_update;
      std::vector<Argument> arguments = launch_.arguments;
      arguments[dgcvs_update_index::parts] = Argument::integer(dgcvs_all & ~s_.parts);
      run_reference_on(launch_.trial.fields(), before, launch_.box, arguments);
    }
    std::vector<HalfStep> problems;
    launch_.run([&](const auto&) {
      problems = some_problems();
      run_reference_on(launch_.trial.fields(), launch_.variant, launch_.box, launch_.arguments);
    });
    const double round_off = 100.0 * std::pow(10.0, shape_.order) * std::numeric_limits<T>::epsilon();
    for (std::size_t k = 0; k < problems.size(); ++k)
      compare_with_definition(bench_, own_, entity(k), solve(problems[k]), round_off, "scheme");
  }

 private:
  static constexpr int converged_sweeps = 16;  // Newton's method and sweeps go to the same solution

  [[nodiscard]] bool newton() const { return launch_.variant.id == KernelId::dgcvs_newton; }

  void set() {
    std::mt19937_64 random(static_cast<unsigned>(100 * static_cast<int>(shape_.law) + shape_.order));
    parameters_ = put_parameters(shape_.law, s_.whole, launch_);
    for (std::int64_t e = 0; e < old_entities; ++e) put(old_, e, random_polynomials(random, shape_.law, shape_.order));
    for (std::int64_t e = s_.first; e < s_.last; ++e) {
      const bool vertex = s_.implicit && s_.on_boundary(e);
      Shape shape = vertex     ? random_boundary_vertex(random, s_.slots)
                    : s_.whole ? random_quadrilateral(random, s_.faces)
                               : random_cell(random, s_.slots, s_.faces);
      if (s_.faces == 0 || !s_.on_boundary(e)) shape.faces.clear();
      for (HalfFace& face : shape.faces)
        if (law_has_bed(shape_.law)) face.kind = static_cast<int>(uniform(random, 0, 5)) - 2;
      if (std::ssize(shapes_) >= s_.shapes()) shape = shapes_[static_cast<std::size_t>(shape_lane(e))];
      set_entity(random, e, shape);
      shapes_.push_back(std::move(shape));
    }
    if (s_.mixed) remap(random);
  }

  void remap(std::mt19937_64& random) {
    const View<std::int64_t> lanes = launch_.integers("face_lane").view();
    const View<std::int64_t> sequence = launch_.integers("sequence").view();
    for (std::int64_t e = s_.first; e < s_.last; ++e) {
      const bool none_around = s_.group(e) == 2;
      lanes(e, 0) = s_.on_boundary(e) ? s_.face_lane(e) : none_around ? -1 : -1 - s_.face_lane(e);
      const auto other = static_cast<std::int64_t>(uniform(random, s_.first, e + 1));
      sequence(e, 0) = sequence(other, 0);
      sequence(other, 0) = e;
    }
  }

  [[nodiscard]] std::int64_t shape_lane(std::int64_t e) const { return (e - s_.first) % s_.shapes(); }

  void set_entity(std::mt19937_64& random, std::int64_t e, const Shape& shape) {
    const int order = shape_.order;
    put(own_, e, random_polynomials(random, shape_.law, order));
    put(launch_.field("factor"), shape_lane(e), inverse_cholesky(shape, order));
    put(launch_.field("moments"), shape_lane(e), moments_of(shape, dgcvs_moment_degree(order)));
    length_(e, 0) = static_cast<T>(uniform(random, 3, 5));
    put_slots(random, e, shape, s_.slots, neighbour_, launch_.field("geometry"), shape_lane(e));
    for (int k = 0; k < s_.faces; ++k) set_face(random, e, shape, k);
    if (law_has_bed(shape_.law))
      put(launch_.field("bed"), e,
          random_bed(random, static_cast<std::size_t>(s_.slots) * static_cast<std::size_t>(dgcvs_bed(order)), reach()));
    for (std::size_t k = 0; k < shape.region.size(); ++k) {
      const Spot& first = shape.region[0];
      const Spot seen{shape.region[k].x - first.x, shape.region[k].y - first.y};
      const Spot& values = k == 0 ? first : seen;
      put(launch_.field("region"), shape_lane(e), std::array{values.x, values.y}, static_cast<std::int64_t>(2 * k));
    }
  }

  void set_face(std::mt19937_64& random, std::int64_t e, const Shape& shape, int k) {
    const int points = (shape_.order + 1) * (shape_.order + 1);
    const std::int64_t lane = s_.face_lane(e);
    std::vector<Wide> states;
    std::int64_t& behind = launch_.integers("behind").view()(lane, k);
    behind = neighbour_.view()(e, 0);
    std::array<Wide, dgcvs_face> values{0, 0, 0, 0, 0, 0, 0, 1};  // an unused face has no length and is open
    const auto values_each = points * variables_;
    states.resize(static_cast<std::size_t>(values_each));
    if (static_cast<std::size_t>(k) < shape.faces.size()) {
      const auto& [from, to, slot, kind] = shape.faces[static_cast<std::size_t>(k)];
      const Slot& q = shape.slots[slot];
      behind = neighbour_.view()(e, static_cast<std::int64_t>(slot));
      values = {from.x, from.y, to.x, to.y, q.b.x, q.b.y, q.ratio, static_cast<Wide>(kind)};
      for (std::size_t n = 0; n < states.size(); ++n) {
        const bool depth = law_is_water(shape_.law) && n % 3 == 0;
        states[n] = depth ? uniform(random, 0.9L, 1.1L) : uniform(random, -0.5L, 0.5L);
      }
    }
    put(launch_.field("face"), lane, values, std::int64_t{k} * dgcvs_face);
    put(launch_.field("outside"), lane, states, static_cast<std::int64_t>(k) * points * variables_);
    if (!law_has_bed(shape_.law)) return;
    const auto heights = static_cast<std::size_t>(shape_.order) + 1;
    put(launch_.field("face_bed"), lane, random_bed(random, heights, reach()), k * static_cast<std::int64_t>(heights));
  }

  /// Of the ground, where the surface is about 1.
  [[nodiscard]] Wide reach() const { return s_.shore ? 1.5L : 0.3L; }
  /// The entities that are held against the definition, which takes its time.
  [[nodiscard]] std::int64_t entity(std::size_t k) const { return s_.first + 5 * static_cast<std::int64_t>(k); }
  std::vector<HalfStep> some_problems() {
    std::vector<HalfStep> problems;
    if ((s_.parts & dgcvs_solve) == 0 || s_.shore) return problems;  // the definition has no such parts
    constexpr std::size_t enough = 2;
    for (std::int64_t e = s_.first; e < s_.last && problems.size() < enough; e = entity(problems.size()))
      problems.push_back(problem_of(e));
    return problems;
  }

  HalfStep problem_of(std::int64_t e) {
    const int unknowns = variables_ * dgcvs_basis(shape_.order);
    HalfStep p{shape_.law,
               shape_.order,
               parameters_,
               0,
               1 / static_cast<Wide>(length_(e, 0)),
               shapes_[static_cast<std::size_t>(e - s_.first)],
               {},
               {},
               {},
               {},
               {},
               {},
               newton() ? converged_sweeps : s_.sweeps_of(e),
               s_.from_mean,
               s_.implicit && s_.on_boundary(e)};
    p.step = static_cast<Wide>(static_cast<T>(entity_tau)) * static_cast<Wide>(length_(e, 0));
    p.previous = column(own_, e, unknowns);
    for (std::size_t k = 0; k < p.shape.slots.size(); ++k) {
      const Slot& slot = p.shape.slots[k];
      p.old.push_back({column(old_, neighbour_.view()(e, static_cast<std::int64_t>(k)), unknowns), slot.b, slot.ratio});
      const int heights = dgcvs_bed(shape_.order);
      if (law_has_bed(shape_.law))
        p.bed.push_back(column(launch_.field("bed"), e, heights, static_cast<int>(k) * heights));
    }
    const int states = (shape_.order + 1) * (shape_.order + 1) * variables_;
    for (std::size_t k = 0; k < p.shape.faces.size(); ++k) {
      p.behind.push_back(p.old[p.shape.faces[k].slot]);
      p.outside.push_back(column(launch_.field("outside"), s_.face_lane(e), states, static_cast<int>(k) * states));
      if (law_has_bed(shape_.law))
        p.face_bed.push_back(column(launch_.field("face_bed"), s_.face_lane(e), shape_.order + 1,
                                    static_cast<int>(k) * (shape_.order + 1)));
    }
    return p;
  }

  DeviceUnderTest& bench_;
  const Situation& s_;
  int variables_;
  DeclaredLaunch<T> launch_;
  DgShape shape_;
  Field<T>& own_ = launch_.field("own");
  Field<T>& old_ = launch_.field("old");
  Field<std::int64_t>& neighbour_ = launch_.integers("neighbour");
  View<T> length_ = launch_.view("inverse_length");
  std::vector<Wide> parameters_;
  std::vector<Shape> shapes_;
};

template <class T>
void half_step_check(DeviceUnderTest& bench, Cases& cases, const std::string& kernel,
                     std::vector<Situation> (*situations)(int), Law last) {
  each_law_and_order<T>(0, last, [&](Law law, int order, const std::string& name) {
    for (const Situation& s : situations(order)) {
      if (s.whole && law_has_bed(law)) continue;  // which has points in each sub-quad
      if (s.shore && !law_has_bed(law)) continue;
      cases(name + ", " + s.name, [&] { Update<T>(bench, kernel, law, order, s).check(); });
    }
  });
}

template <class T>
void update_check(DeviceUnderTest& bench, Cases& cases) {
  half_step_check<T>(bench, cases, "dgcvs_update", update_situations, Law::shallow_water_bed);
}

template <class T>
void newton_check(DeviceUnderTest& bench, Cases& cases) {
  half_step_check<T>(bench, cases, "dgcvs_newton", newton_situations, Law::shallow_water);
}

const RegisterOracles update_oracles{{"dgcvs_update", update_check<double>, update_check<float>},
                                     {"dgcvs_newton", newton_check<double>, newton_check<float>}};

}  // namespace
}  // namespace quoin::conformance
