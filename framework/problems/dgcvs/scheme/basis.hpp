#pragma once

// The space-time polynomials of the scheme on the host: kernels/dgcvs/basis.h has their definition.

#include <cstddef>
#include <span>
#include <vector>

namespace quoin {

/// The powers of X, Y and s of a member of the basis.
struct Member {
  int i, j, k;
};
/// Those of total degree <= order, in the order of the coefficients.
std::vector<Member> basis_members(int order);

/// The place of X^(degree-j) Y^j among the spatial members.
inline std::size_t spatial_place(int degree, int j) {
  const auto d = static_cast<std::size_t>(degree);
  return d * (d + 1) / 2 + static_cast<std::size_t>(j);
}

/// X^i Y^j of degree <= `degree`, as the spatial members are ordered. `values` holds (degree+1)(degree+2)/2.
void spatial_monomials(int degree, double x, double y, std::span<double> values);

}  // namespace quoin
