// Burgers' equation by discontinuous Galerkin in space and Runge and Kutta in time, as one would write it by hand for
// one core: products of Lagrange polynomials at Gauss points, which are the points of the quadrature as well, so that
// the mass matrix is diagonal and sums factor; local Lax-Friedrichs fluxes; steps that preserve strong stability.
// Cells that lie side by side share a vector, and every row of cells is read and written once a stage.

#include <algorithm>
#include <vector>

#include "flow.h"

namespace {

constexpr double end_time = 0.15;  // the shock forms at 1 / pi
constexpr double mean = 0.25;
constexpr double amplitude = 0.5;

constexpr int lanes = 8;  // cells in a vector, which the processor may take in parts
typedef double Lanes __attribute__((vector_size(lanes * sizeof(double))));
typedef double Anywhere __attribute__((vector_size(lanes * sizeof(double)), aligned(sizeof(double)), may_alias));

/// u at the time t: Newton's method for u = u_0(x + y - 2 u t).
double exact(double x, double y, double t) {
  double u = mean + amplitude * std::sin(pi * (x + y));
  for (int iteration = 0; iteration < 50; ++iteration) {
    const double phase = pi * (x + y - 2.0 * u * t);
    u -= (u - mean - amplitude * std::sin(phase)) / (1.0 + 2.0 * pi * t * amplitude * std::cos(phase));
  }
  return u;
}

/// Gauss points of [-1, 1] and their weights, by Newton's method for the roots of Legendre's polynomials.
struct Gauss {
  std::vector<double> points, weights;

  explicit Gauss(int count) {
    for (int k = 0; k < count; ++k) {
      double x = -std::cos(pi * (k + 0.75) / (count + 0.5));
      double slope = 1.0;
      for (int iteration = 0; iteration < 20; ++iteration) {
        double before = 1.0;
        double value = x;
        for (int n = 2; n <= count; ++n) {
          const double next = ((2 * n - 1) * x * value - (n - 1) * before) / n;
          before = value;
          value = next;
        }
        slope = count * (x * value - before) / (x * x - 1.0);
        x -= value / slope;
      }
      points.push_back(x);
      weights.push_back(2.0 / ((1.0 - x * x) * slope * slope));
    }
  }
};

/// The numbers of the method for K nodes on [-1, 1].
template <int K>
struct Element {
  double nodes[K];
  double first[K], last[K];            ///< the polynomials at -1 and at 1
  double from_first[K], from_last[K];  ///< what the fluxes there add at the nodes
  double inner[K][K];                  ///< what the flux at node k adds at node i

  Element() {
    const Gauss gauss(K);
    std::copy_n(gauss.points.begin(), K, nodes);
    for (int i = 0; i < K; ++i) {
      first[i] = value(i, -1.0);
      last[i] = value(i, 1.0);
      from_first[i] = first[i] / gauss.weights[i];
      from_last[i] = -last[i] / gauss.weights[i];
      for (int k = 0; k < K; ++k) inner[i][k] = gauss.weights[k] * slope(i, nodes[k]) / gauss.weights[i];
    }
  }

  double value(int i, double x) const {
    double product = 1.0;
    for (int k = 0; k < K; ++k) product *= k == i ? 1.0 : (x - nodes[k]) / (nodes[i] - nodes[k]);
    return product;
  }

  double slope(int i, double x) const {
    double sum = 0.0;
    for (int m = 0; m < K; ++m) {
      double product = m == i ? 0.0 : 1.0 / (nodes[i] - nodes[m]);
      for (int k = 0; k < K; ++k) product *= k == i || k == m ? 1.0 : (x - nodes[k]) / (nodes[i] - nodes[k]);
      sum += product;
    }
    return sum;
  }
};

/// What one row of cells has on one kind of side, for each of K nodes there; one side more than there are cells.
template <int K>
class Sides {
 public:
  explicit Sides(int cells) : stride_(cells + 1), values_(K * stride_) {}
  double& at(int node, int side) { return values_[node * stride_ + side]; }
  Lanes load(int node, int side) const { return reinterpret_cast<const Anywhere&>(values_[node * stride_ + side]); }
  void store(int node, int side, Lanes value) { reinterpret_cast<Anywhere&>(at(node, side)) = value; }

 private:
  int stride_;
  std::vector<double> values_;
};

Lanes flux(Lanes before, Lanes behind) {
  const Lanes a = before < 0.0 ? -before : before;
  const Lanes b = behind < 0.0 ? -behind : behind;
  return 0.25 * (before * before + behind * behind) - 0.5 * (a > b ? a : b) * (behind - before);
}

template <int K>
class Rkdg {
 public:
  explicit Rkdg(const Flow& flow)
      : flow_(flow),
        n_(flow.cells),
        u_(n_ * n_ / lanes * K * K),
        v_(u_.size()),
        left_(n_),
        right_(n_),
        bottom_(n_),
        top_(n_),
        under_(n_),
        x_(n_),
        below_(n_),
        above_(n_),
        seam_(n_) {}

  void start() {
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < n_; ++i)
        for (int b = 0; b < K; ++b)
          for (int a = 0; a < K; ++a)
            block(u_, j, i)[b * K + a][i % lanes] =
                exact(-1.0 + (2 * i + 1 + element_.nodes[a]) / n_, -1.0 + (2 * j + 1 + element_.nodes[b]) / n_, 0.0);
  }

  void step() {
    if (flow_.stages == 2) {
      stage(u_, u_, v_, 0.0);
      stage(v_, u_, u_, 1.0 / 2.0);
    } else {
      stage(u_, u_, v_, 0.0);
      stage(v_, u_, v_, 3.0 / 4.0);
      stage(v_, u_, u_, 1.0 / 3.0);
    }
  }

  /// As Quoin does: with order + 3 points a direction in each quarter of a cell.
  double error() {
    const Gauss gauss(K + 2);
    double sum = 0.0;
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < n_; ++i)
        for (int b = 0; b < 2 * (K + 2); ++b)
          for (int a = 0; a < 2 * (K + 2); ++a) {
            const double x = 0.5 * (gauss.points[a / 2] + (a % 2 == 0 ? -1.0 : 1.0));
            const double y = 0.5 * (gauss.points[b / 2] + (b % 2 == 0 ? -1.0 : 1.0));
            double u = 0.0;
            for (int d = 0; d < K; ++d)
              for (int c = 0; c < K; ++c)
                u += element_.value(c, x) * element_.value(d, y) * block(u_, j, i)[d * K + c][i % lanes];
            u -= exact(-1.0 + (2 * i + 1 + x) / n_, -1.0 + (2 * j + 1 + y) / n_, end_time);
            sum += gauss.weights[a / 2] * gauss.weights[b / 2] * u * u;
          }
    return std::sqrt(sum) / (2.0 * n_);
  }

 private:
  /// Nodes of the cells that share a vector, those along x first.
  Lanes* block(std::vector<Lanes>& of, int row, int first) { return &of[(row * n_ + first) / lanes * K * K]; }

  /// to = share start + (1 - share) (from + dt times its rate of change); the arrays may be the same.
  void stage(std::vector<Lanes>& from, std::vector<Lanes>& start, std::vector<Lanes>& to, double share) {
    trace(from, n_ - 1);
    trace(from, 0);
    cross_y(seam_);
    below_ = seam_;
    for (int row = 0; row < n_; ++row) {
      cross_x();
      if (row + 1 < n_) {
        trace(from, row + 1);
        cross_y(above_);
      } else {
        above_ = seam_;
      }
      for (int i = 0; i < n_; i += lanes)
        update(i, block(from, row, i), block(start, row, i), block(to, row, i), share);
      std::swap(below_, above_);
    }
  }

  /// The values of a row's cells on their sides; of the row before, those at the top are kept.
  void trace(std::vector<Lanes>& from, int row) {
    std::swap(top_, under_);
    for (int i = 0; i < n_; i += lanes) {
      const Lanes* u = block(from, row, i);
      for (int k = 0; k < K; ++k) {
        Lanes left{}, right{}, bottom{}, top{};
        for (int m = 0; m < K; ++m) {
          left += element_.first[m] * u[k * K + m];
          right += element_.last[m] * u[k * K + m];
          bottom += element_.first[m] * u[m * K + k];
          top += element_.last[m] * u[m * K + k];
        }
        left_.store(k, i, left);
        right_.store(k, i + 1, right);  // it lies before the side that it is numbered like
        bottom_.store(k, i, bottom);
        top_.store(k, i, top);
      }
    }
    for (int k = 0; k < K; ++k) right_.at(k, 0) = right_.at(k, n_);
  }

  void cross_x() {
    for (int k = 0; k < K; ++k) {
      for (int i = 0; i < n_; i += lanes) x_.store(k, i, flux(right_.load(k, i), left_.load(k, i)));
      x_.at(k, n_) = x_.at(k, 0);
    }
  }

  void cross_y(Sides<K>& into) {
    for (int k = 0; k < K; ++k)
      for (int i = 0; i < n_; i += lanes) into.store(k, i, flux(under_.load(k, i), bottom_.load(k, i)));
  }

  void update(int i, const Lanes* u, const Lanes* start, Lanes* to, double share) {
    Lanes inner[K * K];
    for (int k = 0; k < K * K; ++k) inner[k] = 0.5 * u[k] * u[k];  // the flux along x, and along y
    const double dt = flow_.dt * n_;  // over half a cell's side, on which the element's numbers are
    for (int b = 0; b < K; ++b)
      for (int a = 0; a < K; ++a) {
        Lanes rate = element_.from_first[a] * x_.load(b, i) + element_.from_last[a] * x_.load(b, i + 1) +
                     element_.from_first[b] * below_.load(a, i) + element_.from_last[b] * above_.load(a, i);
        for (int k = 0; k < K; ++k)
          rate += element_.inner[a][k] * inner[b * K + k] + element_.inner[b][k] * inner[k * K + a];
        to[b * K + a] = share * start[b * K + a] + (1.0 - share) * (u[b * K + a] + dt * rate);
      }
  }

  const Flow flow_;
  const int n_;
  const Element<K> element_;
  std::vector<Lanes> u_, v_;
  Sides<K> left_, right_, bottom_, top_, under_;  ///< values; under_: at the top of the row before
  Sides<K> x_, below_, above_, seam_;             ///< fluxes; seam_: between the last row and the first
};

template <int K>
void run(const Flow& flow) {
  Rkdg<K> rkdg(flow);
  const double seconds = seconds_of(
      flow, [&] { rkdg.start(); }, [&] { rkdg.step(); });
  report(flow, "RKDG by " __VERSION__, seconds, rkdg.error());
}

}  // namespace

int main(int argc, char** argv) {
  const Flow flow = flow_of(argc, argv, 2.0 * (mean + amplitude), end_time);
  if (flow.stages > 3 || flow.cells % lanes != 0) {
    std::fprintf(stderr, "%s has 2 or 3 stages, and cells in multiples of %d\n", argv[0], lanes);
    return 2;
  }
  flow.order == 1 ? run<2>(flow) : flow.order == 2 ? run<3>(flow) : run<4>(flow);
  return 0;
}
