#pragma once

// The arithmetic operations that the bodies of DG-CVS execute for an entity, an fma counted twice, changes of sign and
// comparisons not. Each function is that of the body of its name; a test holds them against bodies that count. What a
// processor executes differs where compilers compute once what is the same at all points, and where a division takes
// more than one instruction: apps/bench/README.md has what a GPU's counters say.

#include "kernels/dgcvs/shape.hpp"

namespace quoin {

/// Arguments of the kernels that say how much there is to do.
struct DgWork {
  std::int64_t slots, sweeps;
  std::int64_t faces = 0;
  bool implicit = false;
  bool shared = false;  ///< the shapes, with the other entities
  bool whole = false;   ///< a volume term by points takes those of the region
};

struct LawOperations {
  double flux, rate, boundary;
};
inline constexpr LawOperations law_operations[]{
    {2, 3, 5}, {2, 2, 7}, {10, 29, 80}, {19, 99, 122}};  // in the order of Law
/// Over a bed, with friction: water_of, flux_by, law_source, law_pressure, take_water.
struct BedOperations {
  double water = 9, flux = 8, source = 64, pressure = 11, take = 12;
};
inline constexpr BedOperations bed_operations;

class DgOperations {
 public:
  constexpr DgOperations(const DgShape& v, const DgWork& work)
      : order_(v.order),
        variables_(law_variables(v.law)),
        degree_(law_degree(v.law)),
        bed_(law_has_bed(v.law)),
        law_(law_operations[static_cast<int>(v.law)]),
        slots_(static_cast<double>(work.slots)),
        sweeps_(static_cast<double>(work.sweeps)),
        faces_(static_cast<double>(work.faces)),
        implicit_(work.implicit),
        whole_(work.whole) {}

  /// Of these parts.
  [[nodiscard]] constexpr double update(int parts) const {
    double sum = 1;  // the step
    if ((parts & (dgcvs_lateral | dgcvs_bottom)) != 0) sum += slots_ * load_old();
    if ((parts & dgcvs_bottom) != 0) sum += slots_ * add_bottom();
    if ((parts & dgcvs_lateral) != 0) sum += slots_ * (2 * add_lateral() + (bed_ ? deepest_in() : 0));
    if ((parts & dgcvs_join) != 0) sum += spread_bottom() + (implicit_ ? 0 : faces_ * (load_old() + add_boundary()));
    if ((parts & dgcvs_solve) != 0) {
      sum += start_polynomials() + sweeps_ * (add_volume() + variables_ * solve_local());
      const auto sweeps = static_cast<int>(sweeps_);
      const int looks = times() > 1 ? sweeps / 2 : sweeps;
      if (bed_) sum += ground_under() + looks * at_shore() + finish();
      if (implicit_) sum += sweeps_ * faces_ * add_boundary() + (sweeps_ - 1) * 3 * unknowns();
    }
    return sum;
  }
  [[nodiscard]] constexpr double newton() const {
    const double entries = static_cast<double>(basis()) * basis();
    return 1 + start_polynomials() +
           sweeps_ *
               (add_volume() + entries + 2 * variables_ * entries + subtract_jacobian() + eliminate() + unknowns());
  }
  [[nodiscard]] constexpr double linear() const { return slots_ * 2.0 * unknowns() * unknowns(); }
  [[nodiscard]] constexpr double limit() const {
    const double own_mean = 2 + variables_ * (2.0 * space_of(0) + 1);
    const double old_mean = 5 + variables_ * (2.0 * basis() + 1) + (bed_ ? variables_ - 1.0 : 0);
    const double plane = 8 + 10.0 * variables_;
    constexpr double kept = 6;  // LIMIT_KEPT of limit.h: the other means are found twice
    const double means = slots_ + (slots_ > kept ? slots_ - kept : 0);
    const double visits = means * old_mean + slots_ * (2 * plane + variables_ * (4.0 + 12));
    const double in_units = bed_ ? 2.0 * variables_ : 1;  // of the plane, or of the frame
    const double over_bed = bed_ ? 3 + keep_water() : 0;
    return own_mean + excess_jump() + in_units + visits + 7.0 * variables_ + law_.rate + over_bed;
  }

 private:
  [[nodiscard]] constexpr int times() const { return order_ + 1; }  // as many as points along an axis
  /// Of the volume term along an axis.
  [[nodiscard]] constexpr int volume_points() const { return order_ > 0 ? order_ : 1; }
  [[nodiscard]] constexpr int basis() const { return dgcvs_basis(order_); }
  [[nodiscard]] constexpr double unknowns() const { return variables_ * basis(); }
  [[nodiscard]] constexpr int space_of(int k) const { return dgcvs_space(order_ - k); }

  [[nodiscard]] constexpr double monomials() const { return space_of(0) - 1; }
  [[nodiscard]] constexpr double monomial_gradients() const { return order_ * (order_ + 1.0); }
  [[nodiscard]] constexpr double spatial_value() const { return 2.0 * (space_of(0) - 1); }
  [[nodiscard]] constexpr double time_polynomial() const { return 2.0 * (basis() - times()); }
  [[nodiscard]] constexpr double at_time() const { return 2.0 * order_; }
  [[nodiscard]] constexpr double add_moments() const { return 2.0 * basis() - times(); }
  [[nodiscard]] constexpr double row_of() const { return 11; }
  [[nodiscard]] constexpr double quad_point() const { return 16; }

  [[nodiscard]] constexpr double into_frame() const {
    double sum = 0;
    for (int n = 1; n <= order_; ++n) sum += dgcvs_space(n) - 1 + n + 4.0 * dgcvs_basis(n - 1);
    return sum;
  }
  /// From those of the step before.
  [[nodiscard]] constexpr double start_polynomials() const {
    double shift_in_time = 0;
    for (int k = 0; k < order_; ++k) shift_in_time += 2.0 * (k + 1) * space_of(k + 1);
    return variables_ * (shift_in_time + (bed_ ? 2 : 0));
  }

  [[nodiscard]] constexpr double load_old() const { return variables_ * into_frame(); }
  [[nodiscard]] constexpr double add_bottom() const {
    const double point = quad_point() + monomials() + variables_ * (2 + spatial_value() + 2 * monomials()) +
                         (bed_ ? bed_operations.take + 10 + (times() > 1 ? 18 : 0) : 0);
    return times() * (row_of() + times() * point);
  }
  [[nodiscard]] constexpr double add_lateral() const {
    const double in_time = times() * (variables_ * (at_time() + 3 + 2 * times()) + law_.flux);
    return times() * (12 + monomials() + variables_ * (time_polynomial() + add_moments()) + in_time);
  }
  [[nodiscard]] constexpr double add_boundary() const {
    double in_time = variables_ * (at_time() + 2 * times()) + law_.boundary;
    if (!implicit_) in_time += law_.flux + 4.0 * variables_;
    if (implicit_ && bed_) in_time += bed_operations.pressure + 4;
    return times() * (11 + monomials() + variables_ * (time_polynomial() + add_moments()) + times() * in_time);
  }
  [[nodiscard]] constexpr double spread_bottom() const { return unknowns(); }

  [[nodiscard]] constexpr double flux_power(int d, int j) const {
    if (degree_ == 1) return 0;
    double sum = 1;
    for (int d1 = d > order_ ? d - order_ : 0; 2 * d1 < d; ++d1)
      for (int j1 = j > d - d1 ? j - (d - d1) : 0; j1 <= (j < d1 ? j : d1); ++j1) sum += 2;
    if (d % 2 == 0)
      for (int j1 = j > d / 2 ? j - d / 2 : 0; 2 * j1 < j; ++j1) sum += 2;
    return d % 2 == 0 && j % 2 == 0 ? sum + 2 : sum;
  }
  /// By moments.
  [[nodiscard]] constexpr double add_power_volume() const {
    double at_point = 1;
    for (int d = 0; d <= order_; ++d) at_point += 2.0 * (order_ - d) * (d + 1);
    for (int d = 0; d <= degree_ * order_; ++d)
      for (int j = 0; j <= d; ++j) at_point += flux_power(d, j) + order_ * (order_ + 1);
    double behind = 0;
    for (int n = 1; n <= order_; ++n) {
      at_point += n * (n + 1.0) + 1;
      behind += 3.0 * n * (n + 1);
    }
    return volume_points() * at_point + behind;
  }
  /// By so many points along an axis of a quadrilateral.
  [[nodiscard]] constexpr double add_quad_volume(int points) const {
    const double in_time = variables_ * at_time() + law_.flux + times() * (1 + 4.0 * variables_);
    const double point = 3 + quad_point() + monomials() + monomial_gradients() + variables_ * time_polynomial() +
                         volume_points() * in_time + variables_ * 2 * time_polynomial();
    return points * (row_of() + points * point);
  }
  [[nodiscard]] constexpr double add_bed_quad() const {
    const double in_time = 5 * at_time() + bed_operations.water + bed_operations.flux + bed_operations.source +
                           times() * (3 + 6.0 * variables_);
    const double point = row_of() + quad_point() + monomials() + monomial_gradients() +
                         variables_ * (3 * time_polynomial() + add_moments()) + 2 * (time_polynomial() + times()) +
                         times() * in_time;
    return times() * times() * point;
  }
  [[nodiscard]] constexpr double add_own_pressure() const {
    const double in_time = at_time() + bed_operations.pressure + 2 * times();
    return times() * (6 + monomials() + time_polynomial() + times() * in_time + 8 * times() + 2 * add_moments());
  }
  /// At a point of the bottom, and at one of an edge.
  [[nodiscard]] constexpr double bottom_point() const { return row_of() + quad_point(); }
  [[nodiscard]] constexpr double edge_point() const { return 6 + monomials(); }
  [[nodiscard]] constexpr double deepest_in() const {
    return times() * times() * (bottom_point() + monomials() + spatial_value() + 2);
  }
  [[nodiscard]] constexpr double ground_under() const {
    return 34 + 46 + slots_ * times() * times() * (bottom_point() + 12) + 7;
  }
  [[nodiscard]] constexpr double at_shore() const {
    return slots_ * times() * times() * (bottom_point() + monomials() + variables_ * spatial_value() + 8);
  }
  [[nodiscard]] constexpr double least_share() const {
    const double share = 9;  // share_of, and the lesser one
    return slots_ * times() *
           (times() * (bottom_point() + monomials() + spatial_value() + share) +
            2 * (edge_point() + time_polynomial() + times() * (at_time() + share)));
  }
  [[nodiscard]] constexpr double least_supply() const {
    const double in_time = variables_ * at_time() + bed_operations.take + 8;
    return slots_ * (7 + times() * (times() * (bottom_point() + monomials() + spatial_value() + 3) +
                                    2 * (1 + edge_point() + variables_ * time_polynomial() + times() * in_time)));
  }
  [[nodiscard]] constexpr double keep_water() const {
    return 3 + least_share() + variables_ * (basis() + 2.0) + least_supply();
  }
  [[nodiscard]] constexpr double finish() const { return variables_ * (2.0 * space_of(0) + 1) + 3 + keep_water(); }
  [[nodiscard]] constexpr double add_volume() const {
    if (bed_) return slots_ * (deepest_in() + add_bed_quad() + 2 * add_own_pressure());
    if (degree_ > 0) return add_power_volume();
    return whole_ ? add_quad_volume(times()) : slots_ * add_quad_volume(volume_points());
  }
  [[nodiscard]] constexpr double solve_local() const {
    double sum = 0;
    for (int k = 0; k <= order_; ++k) {
      sum += 2.0 * space_of(k) * space_of(k);
      for (int degree = 0; degree <= order_ - k; ++degree) sum += (degree + 1.0) * (1 + 2 * (order_ - degree));
    }
    return sum;
  }

  [[nodiscard]] constexpr double subtract_jacobian() const {
    const double jacobians = variables_ * time_polynomial() +
                             volume_points() * (variables_ * at_time() +
                                                2.0 * variables_ * (law_.rate + (2 * order_ + 1) * 2.0 * variables_));
    double products = 0;
    for (int k = 0; k <= order_; ++k)
      for (int l = 0; l <= order_; ++l) products += 2 + (space_of(k) - 1) * (3.0 + 2 * space_of(l));
    const double point = row_of() + 1 + quad_point() + monomials() + monomial_gradients() + jacobians;
    const int points = degree_ > 0 ? times() : volume_points();
    return slots_ * points * points * (point + variables_ * variables_ * products);
  }
  [[nodiscard]] constexpr double eliminate() const {
    double sum = 0;
    for (int left = 0; left < variables_ * basis(); ++left) sum += 2 + left * (5.0 + 2 * left);
    return sum;
  }
  [[nodiscard]] constexpr double excess_jump() const {
    const double point = quad_point() + 2 * (monomials() + spatial_value()) + 10 + (bed_ ? 2 : 0);
    return basis() - space_of(0) + slots_ * times() * (row_of() + times() * point) + 3;
  }

  int order_, variables_, degree_;
  bool bed_;
  LawOperations law_;
  double slots_, sweeps_, faces_;
  bool implicit_, whole_;
};

}  // namespace quoin
