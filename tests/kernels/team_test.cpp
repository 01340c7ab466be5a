// The half step of DG-CVS and its limiter by teams of lanes, which are threads here, against the shared bodies.

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <memory>
#include <numbers>
#include <random>
#include <thread>
#include <vector>

#include "kernels/dialect/dgcvs.hpp"
// The bodies come first.
#include "kernels/dgcvs/team.hpp"
#include "kernels/dgcvs/team_limit.hpp"

namespace quoin::kernels {
namespace {

constexpr qn_index entities = 3;
constexpr qn_index olds = 5;

/// What a launch may ask for.
struct Shape {
  qn_index slots, faces, implicit, from_mean, shape_mask;
  qn_index whole = 0;
  bool mixed = false;  // some entities have faces, and all are taken as a list says
};

/// `count` random numbers from `low` to `high`. Returns the list's data.
double* fill_with(std::mt19937_64& random, std::vector<double>& list, qn_index count, double low, double high) {
  std::uniform_real_distribution<double> values(low, high);
  list.resize(static_cast<std::size_t>(count));
  for (double& value : list) value = values(random);
  return list.data();
}

/// Adds to the first row, such as the mean of the first variable, a depth.
void raise_row(std::vector<double>& list, qn_index pitch, double by) {
  for (qn_index e = 0; e < pitch; ++e) list[static_cast<std::size_t>(e)] += by;
}

/// What was made in `own`, where the old values come back.
std::vector<double> taken(std::vector<double>& own, const std::vector<double>& kept) {
  const std::vector<double> made = own;
  std::ranges::copy(kept, own.begin());
  return made;
}

/// What `Team` makes of a launch's entities in `own`.
template <int Count, template <class> class Team, class Arguments>
std::vector<double> by_teams_of(const Arguments& arguments, std::vector<double>& own) {
  const std::vector<double> kept = own;
  for (qn_index e = 0; e < entities; ++e) {
    std::barrier<> all(Count);
    const auto wait = [&] { all.arrive_and_wait(); };
    using Lanes = TeamLanes<Count, decltype(wait)>;
    const auto memory = std::make_unique<typename Team<Lanes>::Memory>();
    std::vector<std::jthread> threads;
    for (int lane = 0; lane < Count; ++lane)
      threads.emplace_back([&, lane] {
        const Lanes lanes{lane, wait};
        Team<Lanes>(*memory, lanes, arguments, e).update();
      });
  }
  return taken(own, kept);
}

/// Entities of no particular shape, with states that any law allows.
template <class Law, int ORDER>
class Entities {
 public:
  explicit Entities(const Shape& shape) {
    constexpr int space = (ORDER + 1) * (ORDER + 2) / 2;
    constexpr int basis = space * (ORDER + 3) / 3;
    constexpr int points = (ORDER + 1) * (ORDER + 1);
    const auto fill = [&](std::vector<double>& list, qn_index rows, qn_index pitch, double low, double high) {
      return fill_with(random_, list, rows * pitch, low, high);
    };
    const auto fill_indices = [&](std::vector<qn_index>& list, qn_index count) {
      std::uniform_int_distribution<qn_index> values(0, olds - 1);
      list.resize(static_cast<std::size_t>(count));
      for (qn_index& value : list) value = values(random_);
      return list.data();
    };
    a_.own = fill(own_, Law::variables * basis, entities, -0.02, 0.02);
    a_.old = fill(old_, Law::variables * basis, olds, -0.02, 0.02);
    raise_row(own_, entities, 2.0);
    raise_row(old_, olds, 2.0);
    a_.own_pitch = a_.geometry_pitch = a_.region_pitch = a_.factor_pitch = a_.moments_pitch = a_.face_pitch = entities;
    a_.old_pitch = olds;
    a_.neighbour = fill_indices(neighbour_, shape.slots * entities);
    a_.geometry = fill(geometry_, shape.slots * DG_GEOMETRY, entities, -0.1, 0.1);
    for (qn_index k = 0; k < shape.slots * DG_GEOMETRY; ++k) {  // near a square
      constexpr double square[DG_GEOMETRY] = {0.5, 0.0, 0.5, 0.5, 0.0, 0.5, 1.0};
      for (qn_index e = 0; e < entities; ++e)
        geometry_[static_cast<std::size_t>(k * entities + e)] += square[k % DG_GEOMETRY];
    }
    a_.region = fill(region_, DG_REGION, entities, -0.1, 0.1);
    for (qn_index k = 0; k < DG_REGION; ++k) {
      constexpr double square[DG_REGION] = {-0.5, -0.5, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0};
      for (qn_index e = 0; e < entities; ++e) region_[static_cast<std::size_t>(k * entities + e)] += square[k];
    }
    a_.factor = fill(factor_, space * (space + 1) / 2, entities, -0.05, 0.05);
    for (int m = 0; m < space; ++m) {  // near the unit matrix
      for (qn_index e = 0; e < entities; ++e)
        factor_[static_cast<std::size_t>((m * (m + 3) / 2) * entities + e)] += 1.0;
    }
    a_.moments = fill(moments_, 3 * ORDER * (3 * ORDER + 1) / 2, entities, -1.0, 1.0);
    a_.inverse_length = fill(inverse_length_, 1, entities, 1.0, 2.0);
    a_.law_parameters = fill(law_, 2, 1, 0.5, 1.5);
    a_.behind = fill_indices(behind_, shape.faces * entities);
    a_.face = fill(face_, shape.faces * DG_FACE, entities, 0.2, 1.0);
    a_.outside = fill(outside_, shape.faces * points * Law::variables, entities, 1.0, 1.2);
    for (qn_index k = 0; k < shape.faces; ++k) {  // each face a kind, beside one that all entities have
      for (qn_index e = 0; e < entities; ++e)
        face_[static_cast<std::size_t>((k * DG_FACE + 7) * entities + e)] = static_cast<double>((k + e) % 3);
    }
    a_.slots = shape.slots;
    a_.faces = shape.faces;
    a_.sweeps = 3;
    a_.boundary_sweeps = 5;
    a_.from_mean = shape.from_mean;
    a_.implicit = shape.implicit;
    a_.tau = 0.001;
    a_.shape_mask = shape.shape_mask;
    a_.whole = shape.whole;
    a_.parts = DG_ALL;
    if (!shape.mixed) return;
    a_.remapping = DG_BY_FACE_LANE | DG_BY_SEQUENCE;
    a_.face_lane = face_lane_.data();
    a_.sequence = sequence_.data();
  }

  std::vector<double> by_entities() const {
    const std::vector<double> kept = own_;
    for (qn_index e = 0; e < entities; ++e) Law::dgcvs_update_point(a_, e);
    return taken(own_, kept);
  }
  template <class Lanes>
  using TeamOf = Team<Law, ORDER, Lanes>;
  template <int Count>
  std::vector<double> by_teams() const {
    return by_teams_of<Count, TeamOf>(a_, own_);
  }

 private:
  std::mt19937_64 random_{ORDER};
  typename Law::dgcvs_update_arguments a_{};
  mutable std::vector<double> own_;
  std::vector<double> old_, geometry_, region_, factor_, moments_, inverse_length_, law_, face_, outside_;
  std::vector<qn_index> neighbour_, behind_;
  std::vector<qn_index> face_lane_{1, -3, 0};
  std::vector<qn_index> sequence_{2, 0, 1};
};

/// Planes of which some are limited, with a slot that is not used.
template <class Law, int ORDER>
class Limited {
 public:
  explicit Limited(qn_index slots) {
    constexpr int space = (ORDER + 1) * (ORDER + 2) / 2;
    constexpr int basis = space * (ORDER + 3) / 3;
    const auto fill = [&](std::vector<double>& list, qn_index rows, qn_index pitch, double low, double high) {
      return fill_with(random_, list, rows * pitch, low, high);
    };
    a_.own = fill(own_, Law::variables * basis, entities, -0.1, 0.1);
    a_.old = fill(old_, Law::variables * basis, olds, -0.1, 0.1);
    raise_row(own_, entities, 2.0);
    raise_row(old_, olds, 2.0);
    for (qn_index k = 0; k < slots * entities; ++k) neighbour_.push_back((3 * k + k / olds) % olds);
    a_.neighbour = neighbour_.data();
    a_.geometry = fill(geometry_, slots * DG_GEOMETRY, entities, -0.1, 0.1);
    for (qn_index slot = 0; slot < slots; ++slot) {  // squares on the way around
      const double angle = 2.0 * std::numbers::pi * static_cast<double>(slot) / static_cast<double>(slots);
      const double x = 0.5 * std::cos(angle);
      const double y = 0.5 * std::sin(angle);
      const double square[DG_GEOMETRY] = {x, y, x - y, x + y, -y, x, 1.0};
      for (qn_index k = 0; k < DG_GEOMETRY * entities; ++k)
        geometry_[static_cast<std::size_t>(slot * DG_GEOMETRY * entities + k)] += square[k / entities];
    }
    geometry_[static_cast<std::size_t>(((slots - 1) * DG_GEOMETRY + 6) * entities)] = -1.0;
    a_.moments = fill(moments_, space, entities, -0.1, 0.1);
    a_.old_moments = fill(old_moments_, space, olds, -0.1, 0.1);
    raise_row(moments_, entities, 1.0);
    raise_row(old_moments_, olds, 1.0);
    a_.inverse_length = fill(inverse_length_, 1, entities, 1.0, 2.0);
    a_.law_parameters = fill(law_, 2, 1, 0.5, 1.5);
    a_.threshold = threshold_.data();
    a_.own_pitch = entities;
    a_.old_pitch = olds;
    a_.slots = slots;
    a_.tau = 0.001;
  }
  [[nodiscard]] const std::vector<double>& before() const { return own_; }
  std::vector<double> by_entities() const {
    const std::vector<double> kept = own_;
    for (qn_index e = 0; e < entities; ++e) Law::dgcvs_limit_point(a_, e);
    return taken(own_, kept);
  }
  template <class Lanes>
  using TeamOf = LimitTeam<Law, ORDER, Lanes>;
  template <int Count>
  std::vector<double> by_teams() const {
    return by_teams_of<Count, TeamOf>(a_, own_);
  }

 private:
  std::mt19937_64 random_{ORDER};
  typename Law::dgcvs_limit_arguments a_{};
  mutable std::vector<double> own_;
  std::vector<double> old_, geometry_, moments_, old_moments_, inverse_length_, law_;
  std::vector<double> threshold_{-1.0, 1e3, 0.0};  // the second entity jumps less
  std::vector<qn_index> neighbour_;
};

template <template <class, class, int> class Law, int ORDER>
void compare() {
  for (const Shape& shape :
       {Shape{4, 0, 0, 0, -1}, Shape{8, 0, 0, 1, 0}, Shape{4, 2, 0, 0, -1}, Shape{4, 4, 0, 1, -1},
        Shape{3, 2, 1, 0, -1}, Shape{6, 1, 1, 1, -1}, Shape{4, 0, 0, 0, 0, 1}, Shape{2, 2, 1, 0, -1, 1},
        Shape{4, 2, 0, 0, -1, 0, true}, Shape{3, 1, 1, 1, -1, 0, true}}) {
    const Entities<Law<double, double, ORDER>, ORDER> made(shape);
    const std::vector<double> expected = made.by_entities();
    ASSERT_TRUE(std::ranges::all_of(expected, [](double value) { return std::isfinite(value); }));
    SCOPED_TRACE(::testing::Message() << "order " << ORDER << ", slots " << shape.slots << ", faces " << shape.faces
                                      << ", implicit " << shape.implicit << ", from mean " << shape.from_mean
                                      << ", whole " << shape.whole << ", mixed " << shape.mixed);
    EXPECT_EQ(made.template by_teams<1>(), expected);
    EXPECT_EQ(made.template by_teams<5>(), expected);
  }
}

TEST(Teams, UpdateAdvectionAsOneLaneDoes) {
  compare<Advection, 1>();
  compare<Advection, 3>();
  compare<Advection, 4>();
}
TEST(Teams, UpdateBurgersAsOneLaneDoes) {
  compare<Burgers, 2>();
  compare<Burgers, 3>();
  compare<Burgers, 4>();
}
TEST(Teams, UpdateShallowWaterAsOneLaneDoes) {
  compare<ShallowWater, 1>();
  compare<ShallowWater, 2>();
  compare<ShallowWater, 3>();
  compare<ShallowWater, 4>();
}

template <template <class, class, int> class Law, int ORDER>
void compare_limited() {
  for (const qn_index slots : {1, 3, 4, 8}) {
    SCOPED_TRACE(::testing::Message() << "order " << ORDER << ", slots " << slots);
    const Limited<Law<double, double, ORDER>, ORDER> made(slots);
    const std::vector<double> expected = made.by_entities();
    ASSERT_TRUE(std::ranges::all_of(expected, [](double value) { return std::isfinite(value); }));
    const auto same = [&](std::size_t e) { return expected[2 * entities + e] == made.before()[2 * entities + e]; };
    EXPECT_FALSE(same(0));
    EXPECT_TRUE(same(1));
    EXPECT_EQ(made.template by_teams<1>(), expected);
    EXPECT_EQ(made.template by_teams<7>(), expected);
  }
}

TEST(Teams, LimitAsOneLaneDoes) {
  compare_limited<Burgers, 1>();
  compare_limited<Burgers, 3>();
  compare_limited<ShallowWater, 1>();
  compare_limited<ShallowWater, 2>();
}

TEST(Teams, TakeWholeHalfStepsWithRoomForAllSlotsAndFaces) {
  const auto wait = [] {};
  using One = Team<Burgers<double, double, 3>, 3, TeamLanes<1, decltype(wait)>>;
  Declared<double>::dgcvs_update_arguments a{};
  a.slots = 8;
  a.faces = 4;
  a.parts = DG_ALL;
  EXPECT_TRUE(One::takes(a));
  a.slots = 9;
  EXPECT_FALSE(One::takes(a));
  a.slots = 4;
  a.faces = 5;
  EXPECT_FALSE(One::takes(a));
  a.faces = 0;
  a.parts = DG_JOIN | DG_SOLVE;
  EXPECT_FALSE(One::takes(a));
  a.parts = DG_ALL;
  a.remapping = DG_BY_FACE_LANE;
  EXPECT_TRUE(One::takes(a));
}

}  // namespace
}  // namespace quoin::kernels
