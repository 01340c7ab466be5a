// The operations that DG-CVS's kernels are said to do, against those that their bodies do.

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <vector>

#define QN_ISA counting  // no bodies that another test compiles
#define QN_UNROLL
#include "kernels/dialect/cpp.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

double operations = 0;

/// A number that counts what is done to it.
struct Counted {
  double value;
  Counted() = default;
  explicit Counted(double number) : value(number) {}

  static Counted after(double count, double number) {
    operations += count;
    return Counted(number);
  }
  friend Counted operator+(Counted a, Counted b) { return after(1, a.value + b.value); }
  friend Counted operator-(Counted a, Counted b) { return after(1, a.value - b.value); }
  friend Counted operator*(Counted a, Counted b) { return after(1, a.value * b.value); }
  friend Counted operator/(Counted a, Counted b) { return after(1, a.value / b.value); }
  friend Counted operator-(Counted a) { return Counted(-a.value); }
  friend Counted qn_fma(Counted a, Counted b, Counted c) { return after(2, std::fma(a.value, b.value, c.value)); }
  friend Counted qn_sqrt(Counted a) { return after(1, std::sqrt(a.value)); }
  friend Counted qn_choose(Counted x, Counted a, Counted b) { return x.value >= 0 ? a : b; }
  friend bool qn_any(Counted x) { return x.value >= 0; }
};

template <>
struct Access<Counted> {
  using Index = qn_index;
  static Counted load(const double* at) { return Counted(*at); }
  static void store(double* at, Counted value) { *at = value.value; }
  static Index load_index(const qn_index* at) { return *at; }
  static Counted gather(const double* from, Index index) { return Counted(from[index]); }
  static Counted load_sign(const qn_index* at) { return Counted(*at >= 0 ? 1.0 : -1.0); }
  static qn_index in_sequence(const qn_index* list, qn_index k) { return list[k]; }
  static void prefetch(const double*) {}
  static void prefetch(const double*, Index) {}
};

}  // namespace QN_ISA
}  // namespace quoin::kernels

#include "kernels/dialect/dgcvs.hpp"

namespace quoin::kernels {
namespace {

constexpr std::int64_t slots_of_each = 5;
constexpr std::int64_t sweeps_of_each = 3;

/// An entity's arguments for a body of that name, which has enough of everything; what it computes is of no interest.
class OneEntity {
 public:
  template <class Arguments>
  Arguments half_step(int parts, const DgWork& work) {
    Arguments a{};
    a.own = own_.data();
    a.old = reals_.data();
    a.neighbour = indices_.data();
    a.geometry = a.region = a.factor = a.moments = a.inverse_length = a.law_parameters = a.face = a.outside =
        reals_.data();
    a.bed = a.face_bed = low_.data();
    a.behind = indices_.data();
    a.rhs = rhs_.data();
    a.own_pitch = a.old_pitch = a.face_pitch = a.geometry_pitch = a.region_pitch = a.factor_pitch = a.moments_pitch =
        a.bed_pitch = 1;
    a.shape_mask = -1;
    a.slots = work.slots;
    a.sweeps = a.boundary_sweeps = work.sweeps;
    a.faces = work.faces;
    a.implicit = work.implicit ? 1 : 0;
    a.whole = work.whole ? 1 : 0;
    a.tau = 0.1;
    a.parts = parts;
    return a;
  }
  template <class Arguments>
  Arguments linear(const DgWork& work) {
    Arguments a{};
    a.own = own_.data();
    a.old = a.matrices = reals_.data();
    a.neighbour = indices_.data();
    a.own_pitch = a.old_pitch = 1;
    a.slots = work.slots;
    return a;
  }
  template <class Arguments>
  Arguments limit(const DgWork& work) {
    Arguments a{};
    a.own = own_.data();
    a.old = a.geometry = a.moments = a.old_moments = a.inverse_length = a.threshold = a.law_parameters = reals_.data();
    a.bed = a.bed_slope = low_.data();
    a.neighbour = indices_.data();
    a.own_pitch = a.old_pitch = 1;
    a.slots = work.slots;
    a.tau = 0.1;
    return a;
  }

 private:
  std::vector<double> own_ = std::vector<double>(1000, 0.5);
  std::vector<double> rhs_ = std::vector<double>(1000, 0.5);
  std::vector<double> reals_ = std::vector<double>(60000, 0.5);
  std::vector<double> low_ = std::vector<double>(60000, -1.0);  // ground under deep water
  std::vector<qn_index> indices_ = std::vector<qn_index>(100, 0);
};

template <class Body>
double counted(const Body& body) {
  operations = 0;
  body();
  return operations;
}

template <template <class, class, int> class OfLaw, int ORDER>
void expect_counts(Law law) {
  using Bodies = OfLaw<Counted, double, ORDER>;
  SCOPED_TRACE(ORDER);
  const DgShape shape({{}, Precision::float64, {static_cast<std::int64_t>(law), ORDER}});
  OneEntity entity;
  const DgWork inside{slots_of_each, sweeps_of_each};
  const DgWork explicit_faces{slots_of_each, sweeps_of_each, 2};
  const DgWork implicit_faces{slots_of_each, sweeps_of_each, 2, true};
  const DgWork whole{.slots = slots_of_each, .sweeps = sweeps_of_each, .whole = true};
  for (const DgWork& work : {inside, explicit_faces, implicit_faces, whole}) {
    for (int parts = 1; parts <= dgcvs_all; ++parts) {
      const auto a = entity.half_step<typename Bodies::dgcvs_update_arguments>(parts, work);
      EXPECT_EQ(DgOperations(shape, work).update(parts), counted([&] { Bodies::dgcvs_update_point(a, 0); })) << parts;
    }
  }
  if constexpr (requires { &Bodies::dgcvs_newton_point; }) {
    const auto newton = entity.half_step<typename Bodies::dgcvs_update_arguments>(dgcvs_solve, inside);
    EXPECT_EQ(DgOperations(shape, inside).newton(), counted([&] { Bodies::dgcvs_newton_point(newton, 0); }));
  }
  if constexpr (ORDER > 0) {
    for (const DgWork& work : {inside, DgWork{.slots = 8, .sweeps = sweeps_of_each}}) {
      const auto limit = entity.limit<typename Bodies::dgcvs_limit_arguments>(work);
      EXPECT_EQ(DgOperations(shape, work).limit(), counted([&] { Bodies::dgcvs_limit_point(limit, 0); }));
    }
  }
  if (law == Law::advection) {
    const auto linear = entity.linear<typename Bodies::dgcvs_linear_arguments>(inside);
    EXPECT_EQ(DgOperations(shape, inside).linear(), counted([&] { Bodies::dgcvs_linear_point(linear, 0); }));
  }
}

template <template <class, class, int> class OfLaw>
void expect_counts_of_orders(Law law) {
  expect_counts<OfLaw, 0>(law);
  expect_counts<OfLaw, 1>(law);
  expect_counts<OfLaw, 2>(law);
  expect_counts<OfLaw, 3>(law);
  expect_counts<OfLaw, 4>(law);
}

TEST(Operations, OfAdvectionAreThoseThatItsBodiesDo) { expect_counts_of_orders<Advection>(Law::advection); }
TEST(Operations, OfBurgersAreThoseThatItsBodiesDo) { expect_counts_of_orders<Burgers>(Law::burgers); }
TEST(Operations, OfShallowWaterAreThoseThatItsBodiesDo) { expect_counts_of_orders<ShallowWater>(Law::shallow_water); }
TEST(Operations, OfShallowWaterOverABedAreThoseThatItsBodiesDo) {
  expect_counts_of_orders<ShallowWaterBed>(Law::shallow_water_bed);
}

}  // namespace
}  // namespace quoin::kernels
