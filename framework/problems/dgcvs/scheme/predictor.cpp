#include "problems/dgcvs/scheme/predictor.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <variant>

#include "base/wide.hpp"
#include "kernels/dialect/dgcvs.hpp"
#include "quoin/catalogue.hpp"

namespace quoin {
namespace predictor {  // with a name, for what the class keeps

constexpr std::size_t width = Predictor::lanes;
/// A number of each cell. The alignment is told, for that of vectors differs between instruction sets.
#define QUOIN_LANES [[gnu::always_inline]] inline
struct alignas(width * sizeof(double)) PerCell {
  using Vector [[gnu::vector_size(width * sizeof(double))]] = double;
  Vector of;  // 0 where one is made by {}
  PerCell() = default;
  QUOIN_LANES explicit PerCell(const Vector& values) : of(values) {}
  QUOIN_LANES explicit PerCell(double value) : of(value - Vector{}) {}  // which keeps the sign of zero
};
QUOIN_LANES PerCell operator-(const PerCell& a) { return PerCell(-a.of); }
QUOIN_LANES PerCell operator+(const PerCell& a, const PerCell& b) { return PerCell(a.of + b.of); }
QUOIN_LANES PerCell operator-(const PerCell& a, const PerCell& b) { return PerCell(a.of - b.of); }
QUOIN_LANES PerCell operator-(double a, const PerCell& b) { return PerCell(a - b.of); }
QUOIN_LANES PerCell operator*(const PerCell& a, const PerCell& b) { return PerCell(a.of * b.of); }
QUOIN_LANES PerCell operator*(const PerCell& a, double b) { return PerCell(a.of * b); }
QUOIN_LANES PerCell operator*(double a, const PerCell& b) { return PerCell(a * b.of); }
QUOIN_LANES PerCell operator/(const PerCell& a, const PerCell& b) { return PerCell(a.of / b.of); }
QUOIN_LANES PerCell operator/(const PerCell& a, double b) { return PerCell(a.of / b); }
QUOIN_LANES PerCell operator/(double a, const PerCell& b) { return PerCell(a / b.of); }
QUOIN_LANES PerCell& operator+=(PerCell& a, const PerCell& b) { return a = a + b; }
QUOIN_LANES PerCell& operator-=(PerCell& a, const PerCell& b) { return a = a - b; }
template <class Number>
QUOIN_LANES PerCell& operator/=(PerCell& a, const Number& b) {
  return a = a / b;
}
QUOIN_LANES PerCell magnitude(const PerCell& a) { return PerCell(a.of < 0.0 ? -a.of : a.of); }
QUOIN_LANES PerCell larger(const PerCell& a, const PerCell& b) { return PerCell(a.of < b.of ? b.of : a.of); }
/// As the laws' bodies ask for it.
QUOIN_LANES PerCell qn_fma(const PerCell& a, const PerCell& b, const PerCell& c) {
  PerCell all;
  for (std::size_t lane = 0; lane < width; ++lane) all.of[lane] = std::fma(a.of[lane], b.of[lane], c.of[lane]);
  return all;
}
QUOIN_LANES PerCell qn_sqrt(const PerCell& a) {
  PerCell all;
  for (std::size_t lane = 0; lane < width; ++lane) all.of[lane] = std::sqrt(a.of[lane]);
  return all;
}
QUOIN_LANES PerCell qn_choose(const PerCell& x, const PerCell& a, const PerCell& b) {
  return PerCell(x.of >= 0.0 ? a.of : b.of);
}

/// A Gauss point of the cells: weight, spatial members and their slopes.
template <class Number>
struct Sample {
  Number weight{};
  std::array<Number, 15> phi{}, along_x{}, along_y{};
};
/// What depends on the shapes of the cells: a number of each, or one where they are alike, which takes an eighth of the
/// memory, and is in the core's nearest cache then.
template <class Number>
struct Shapes {
  std::vector<Sample<Number>> samples;
  std::vector<Number> matrix;  // of the unknowns, row by row; once factorised, the factor
};
/// Coefficients of the powers of s that a polynomial and its slopes have at a point.
struct InTime {
  std::array<PerCell, 5> u, along_x, along_y;
};

/// A polynomial and its slopes at a point.
struct AtPoint {
  PerCell u, along_x, along_y;
};

/// What is solved.
struct Equations {
  const HostLaw& law;
  const GaussRule& rule;
  double tau;
  std::size_t members, times, unknowns;
  PerCell length;
  std::variant<Shapes<PerCell>, Shapes<double>> shapes;
  std::vector<PerCell> c;        // coefficients, variable by variable
  std::vector<PerCell> rhs;      // unknowns, variable by variable
  std::vector<PerCell> bed_c{};  // the bed's spatial coefficients, where the law has one
  std::vector<AtPoint> bed{};    // at each sample
  std::vector<AtPoint> still{};  // at each sample what does not change in time, variable by variable
  std::vector<PerCell> scale{};  // of each sample
};

/// Of a polynomial with so many powers of s, the spatial members that go with s^k: the first so many.
constexpr std::size_t space_with(std::size_t times, std::size_t k) { return (times - k) * (times - k + 1) / 2; }

}  // namespace predictor

namespace {

using namespace predictor;

QUOIN_LANES double root(double a) { return std::sqrt(a); }
QUOIN_LANES PerCell root(const PerCell& a) { return qn_sqrt(a); }

/// Cholesky's factor of a small dense symmetric positive definite matrix.
template <class Number>
QUOIN_LANES void factorise(std::vector<Number>& matrix, std::size_t n) {
  Number* const l = matrix.data();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      Number sum = l[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= l[i * n + k] * l[j * n + k];
      l[i * n + j] = i == j ? root(sum) : sum / l[j * n + j];
    }
  }
}

template <class Number>
QUOIN_LANES void solve(const std::vector<Number>& factor, std::size_t n, PerCell* b) {
  const Number* const l = factor.data();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= l[i * n + k] * b[k];
    b[i] /= l[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= l[k * n + i] * b[k];
    b[i] /= l[i * n + i];
  }
}

/// Of the members of so many degrees, from 0 on: X^d to Y^d for each, of which the last has no slope along X, and the
/// first none along Y.
template <class Number>
QUOIN_LANES AtPoint at_sample(const PerCell* c, const Sample<Number>& at, std::size_t degrees) {
  AtPoint sum{};
  std::size_t m = 0;
#pragma GCC unroll 5
  for (std::size_t d = 0; d < degrees; ++d) {
#pragma GCC unroll 5
    for (std::size_t j = 0; j <= d; ++j, ++m) {
      sum.u += c[m] * at.phi[m];
      if (j < d) sum.along_x += c[m] * at.along_x[m];
      if (j > 0) sum.along_y += c[m] * at.along_y[m];
    }
  }
  return sum;
}

template <std::size_t times, class Number>
QUOIN_LANES void polynomials_in_time(const PerCell* c, const Sample<Number>& at, AtPoint sum, InTime& result) {
#pragma GCC unroll 5
  for (std::size_t k = 0; k < times; ++k) {
    if (k > 0) sum = at_sample(c, at, times - k);
    result.u[k] = sum.u;
    result.along_x[k] = sum.along_x;
    result.along_y[k] = sum.along_y;
    c += space_with(times, k);
  }
}

using Packs = std::array<PerCell, 5>;  // of each variable, of the bed, and that they are at no shore

/// u_t of states with these slopes, in the cells' frame: -f'(u) u_x - g'(u) u_y and sources.
template <Law law, class Bodies>
QUOIN_LANES void rate_of(const Equations& e, const Packs& u, Packs& along_x, Packs& along_y, Packs& rate) {
  const auto find = [&] {
    Bodies::law_rate(u.data(), along_x.data(), along_y.data(), e.law.parameters().data(), rate.data());
  };
  if constexpr (!law_has_bed(law)) return find();
  for (PerCell& slope : along_x) slope /= e.length;  // sources know lengths
  for (PerCell& slope : along_y) slope /= e.length;
  find();
  for (PerCell& value : rate) value = value * e.length;
}

/// int phi_n,t u_t over the cells and [0, tau], by the Gauss points in time at one point in space after the other. For
/// a number of powers of s that is known all that belongs to a point stays in registers.
template <Law law, class Bodies, std::size_t times, class Number>
QUOIN_LANES void integrate_rates(Equations& e, const std::vector<Sample<Number>>& samples) {
  constexpr auto variables = static_cast<std::size_t>(law_variables(law));
  for (PerCell& value : e.rhs) value = PerCell{};
  const AtPoint* still = e.still.data();
  const PerCell* scale_of = e.scale.data();
  for (const Sample<Number>& at : samples) {
    std::array<InTime, variables> in_time;
    for (std::size_t v = 0; v < variables; ++v)
      polynomials_in_time<times>(&e.c[v * e.members], at, *still++, in_time[v]);
    std::array<std::array<PerCell, 5>, variables> moments{};
#pragma GCC unroll 4
    for (std::size_t t = 0; t < times - 1; ++t) {
      const double s = e.rule.nodes[t];
      Packs u{}, along_x{}, along_y{}, rate{};
      for (std::size_t v = 0; v < variables; ++v) {
#pragma GCC unroll 5
        for (std::size_t k = 1; k <= times; ++k) {
          u[v] = u[v] * s + in_time[v].u[times - k];
          along_x[v] = along_x[v] * s + in_time[v].along_x[times - k];
          along_y[v] = along_y[v] * s + in_time[v].along_y[times - k];
        }
      }
      if constexpr (law_has_bed(law)) {
        const AtPoint& bed = e.bed[static_cast<std::size_t>(&at - samples.data())];
        u[bed_place] = bed.u;
        u[shore_place] = PerCell(-1.0);
        along_x[bed_place] = bed.along_x;
        along_y[bed_place] = bed.along_y;
      }
      rate_of<law, Bodies>(e, u, along_x, along_y, rate);
      double weight = e.rule.weights[t];
#pragma GCC unroll 5
      for (std::size_t k = 1; k < times; ++k) {
        for (std::size_t v = 0; v < variables; ++v) moments[v][k] += rate[v] * (static_cast<double>(k) * weight);
        weight *= s;
      }
    }
    const PerCell scale = *scale_of++;
    for (std::size_t v = 0; v < variables; ++v) {
      PerCell* rhs = &e.rhs[v * e.unknowns];
#pragma GCC unroll 5
      for (std::size_t k = 1; k < times; ++k)
        for (std::size_t m = 0; m < space_with(times, k); ++m) *rhs++ += scale * moments[v][k] * at.phi[m];
    }
  }
}

template <Law law, class Bodies, class Number>
QUOIN_LANES void integrate_rates_of(Equations& e, const std::vector<Sample<Number>>& samples) {
  switch (e.times) {
    case 2:
      return integrate_rates<law, Bodies, 2>(e, samples);
    case 3:
      return integrate_rates<law, Bodies, 3>(e, samples);
    case 4:
      return integrate_rates<law, Bodies, 4>(e, samples);
    default:
      return integrate_rates<law, Bodies, 5>(e, samples);
  }
}

/// Passes until each cell's coefficients stay; what other cells still need does not change those of one that is done.
template <Law law, class Bodies, class Number>
QUOIN_LANES void iterate_by(Equations& e, const Shapes<Number>& shapes) {
  constexpr int max_passes = 40;
  const std::size_t space = e.members - e.unknowns;
  e.still.clear();
  e.bed.clear();
  e.scale.clear();
  for (const Sample<Number>& at : shapes.samples) {
    e.scale.push_back(at.weight * e.tau / e.length);
    if (e.law.has_bed()) e.bed.push_back(at_sample(e.bed_c.data(), at, e.times));
    for (std::size_t v = 0; v < e.law.size(); ++v) e.still.push_back(at_sample(&e.c[v * e.members], at, e.times));
  }
  PerCell change_before{};
  bool at_work[width] = {};
  for (bool& lane : at_work) lane = true;
  for (int pass = 0; pass < max_passes; ++pass) {
    integrate_rates_of<law, Bodies>(e, shapes.samples);
    PerCell change{};
    PerCell size{};
    for (std::size_t v = 0; v < e.law.size(); ++v) {
      PerCell* const rhs = &e.rhs[v * e.unknowns];
      solve(shapes.matrix, e.unknowns, rhs);
      for (std::size_t n = 0; n < e.unknowns; ++n) {
        PerCell& coefficient = e.c[v * e.members + space + n];
        change = larger(change, magnitude(rhs[n] - coefficient));
        size = larger(size, magnitude(rhs[n]));
        for (std::size_t lane = 0; lane < width; ++lane)
          if (at_work[lane]) coefficient.of[lane] = rhs[n].of[lane];
      }
    }
    bool any = false;
    for (std::size_t lane = 0; lane < width; ++lane) {
      const double by = change.of[lane];
      const bool only_rounding = by <= 1e-8 * size.of[lane] && by >= change_before.of[lane];  // it falls no more
      if (by <= 1e-12 * size.of[lane] || (pass > 0 && only_rounding)) at_work[lane] = false;
      any = any || at_work[lane];
    }
    if (!any) break;
    change_before = change;
  }
}

template <class Number>
QUOIN_LANES void iterate_on(Equations& e, const Shapes<Number>& shapes) {
  switch (e.law.law()) {
    case Law::advection:
      return iterate_by<Law::advection, kernels::Advection<PerCell, double, 0>>(e, shapes);
    case Law::burgers:
      return iterate_by<Law::burgers, kernels::Burgers<PerCell, double, 0>>(e, shapes);
    case Law::shallow_water:
      return iterate_by<Law::shallow_water, kernels::ShallowWater<PerCell, double, 0>>(e, shapes);
    case Law::shallow_water_bed:
      return iterate_by<Law::shallow_water_bed, kernels::ShallowWaterBed<PerCell, double, 0>>(e, shapes);
  }
}

QUOIN_WIDE void iterate(Equations& e, const Shapes<PerCell>& shapes) { iterate_on(e, shapes); }
QUOIN_WIDE void iterate(Equations& e, const Shapes<double>& shapes) { iterate_on(e, shapes); }

double gram(const ScaledCell& cell, const Member& a, const Member& b) {
  const int y = a.j + b.j;
  return cell.moments[spatial_place(a.i + b.i + y, y)];
}

void set(PerCell& number, std::size_t lane, double value) { number.of[lane] = value; }
void set(double& number, std::size_t /*lane*/, double value) { number = value; }

template <class Number>
struct CornerOf {
  Number x, y;
};
/// Of a sub-quad of each cell.
template <class Number>
using QuadOf = std::array<CornerOf<Number>, 4>;

template <class Number>
QUOIN_LANES void prepare_on(int order, const GaussRule& rule, const std::vector<Member>& members,
                            const std::vector<QuadOf<Number>>& quads, std::size_t unknowns, Shapes<Number>& shapes) {
  const auto space = static_cast<std::size_t>(dgcvs_space(order));
  auto next = shapes.samples.begin();
  for (const QuadOf<Number>& quad : quads) {
    visit_quad(
        quad, rule, [&](const CornerOf<Number>& at, const Number& weight) __attribute__((always_inline)) {
          Sample<Number>& sample = *next++;
          sample.weight = weight;
          spatial_monomials(order, at.x, at.y, sample.phi.data());
          for (std::size_t m = 1; m < space; ++m) {
            const auto [i, j, k] = members[m];
            if (i > 0) sample.along_x[m] = static_cast<double>(i) * sample.phi[spatial_place(i + j - 1, j)];
            if (j > 0) sample.along_y[m] = static_cast<double>(j) * sample.phi[spatial_place(i + j - 1, j - 1)];
          }
        });
  }
  factorise(shapes.matrix, unknowns);
}

/// Samples, and the factor of the matrix.
QUOIN_WIDE void prepare_shapes(int order, const GaussRule& rule, const std::vector<Member>& members,
                               const std::vector<QuadOf<PerCell>>& quads, std::size_t unknowns,
                               Shapes<PerCell>& shapes) {
  prepare_on(order, rule, members, quads, unknowns, shapes);
}
void prepare_shapes(int order, const GaussRule& rule, const std::vector<Member>& members,
                    const std::vector<QuadOf<double>>& quads, std::size_t unknowns, Shapes<double>& shapes) {
  prepare_on(order, rule, members, quads, unknowns, shapes);
}

}  // namespace

struct Predictor::Prepared {
  std::array<std::shared_ptr<const ScaledCell>, lanes> shapes;
  predictor::Equations equations;
};

Predictor::Predictor(const DgSetup& setup, double tau)
    : setup_(setup),
      tau_(tau),
      members_(basis_members(setup.method.order)),
      space_(static_cast<std::size_t>(dgcvs_space(setup.method.order))),
      rule_(gauss_rule(std::max(1, setup.method.order))) {}

Predictor::~Predictor() = default;

void Predictor::prepare(std::span<const CellFrame> cells) const {
  std::array<std::shared_ptr<const ScaledCell>, lanes> shapes;
  for (std::size_t lane = 0; lane < lanes; ++lane)  // those that are left repeat the last cell
    shapes[lane] = cells[std::min(lane, cells.size() - 1)].shape;
  if (prepared_ != nullptr && prepared_->shapes == shapes) return;
  const std::size_t unknowns = members_.size() - space_;
  const std::size_t variables = setup_.law.size();
  const bool alike = std::ranges::all_of(shapes, [&](const auto& shape) { return shape == shapes[0]; });
  Equations e{setup_.law,
              rule_,
              tau_,
              members_.size(),
              static_cast<std::size_t>(setup_.method.order) + 1,
              unknowns,
              {},
              {},
              std::vector<PerCell>(variables * members_.size()),
              std::vector<PerCell>(variables * unknowns)};
  if (alike)
    e.shapes = prepared<double>(std::span(shapes).first(1));
  else
    e.shapes = prepared<PerCell>(shapes);
  prepared_ = std::make_unique<Prepared>(Prepared{std::move(shapes), std::move(e)});
}

template <class Number>
predictor::Shapes<Number> Predictor::prepared(std::span<const std::shared_ptr<const ScaledCell>> shapes) const {
  const std::size_t unknowns = members_.size() - space_;
  const std::size_t points = shapes[0]->corners.size() * rule_.nodes.size() * rule_.nodes.size();
  Shapes<Number> all{std::vector<Sample<Number>>(points), std::vector<Number>(unknowns * unknowns)};
  std::vector<QuadOf<Number>> quads(shapes[0]->corners.size());
  for (std::size_t lane = 0; lane < shapes.size(); ++lane) {
    for (std::size_t quad = 0; quad < quads.size(); ++quad) {
      for (std::size_t k = 0; k < 4; ++k) {
        set(quads[quad][k].x, lane, shapes[lane]->corners[quad][k].x);
        set(quads[quad][k].y, lane, shapes[lane]->corners[quad][k].y);
      }
    }
    for (std::size_t n = 0; n < unknowns; ++n) {
      for (std::size_t m = 0; m < unknowns; ++m) {
        const Member& a = members_[space_ + n];
        const Member& b = members_[space_ + m];
        set(all.matrix[n * unknowns + m], lane, gram(*shapes[lane], a, b) * a.k * b.k / (a.k + b.k - 1));
      }
    }
  }
  prepare_shapes(setup_.method.order, rule_, members_, quads, unknowns, all);
  return all;
}

void Predictor::predict(std::span<const CellFrame> cells, std::span<std::vector<double>> c) const {
  if (members_.size() == space_) return;
  prepare(cells);
  Equations& e = prepared_->equations;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::size_t own = std::min(lane, cells.size() - 1);
    e.length.of[lane] = cells[own].length;
    for (std::size_t n = 0; n < e.c.size(); ++n) e.c[n].of[lane] = c[own][n];
    e.bed_c.resize(c[own].size() - e.c.size());
    for (std::size_t n = 0; n < e.bed_c.size(); ++n) e.bed_c[n].of[lane] = c[own][e.c.size() + n];
  }
  std::visit([&](const auto& shapes) { iterate(e, shapes); }, e.shapes);
  for (std::size_t lane = 0; lane < cells.size(); ++lane)
    for (std::size_t n = 0; n < e.c.size(); ++n) c[lane][n] = e.c[n].of[lane];
}

}  // namespace quoin
