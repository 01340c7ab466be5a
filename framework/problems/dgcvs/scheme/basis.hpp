#pragma once

// The space-time polynomials of the scheme on the host: kernels/dgcvs/basis.h has their definition.

#include <cstddef>
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

/// X^i Y^j of degree <= `degree`, as the spatial members are ordered, of numbers or of vectors of them. `values` holds
/// (degree+1)(degree+2)/2. Part of the function that calls it, whatever vectors that has.
template <class Number>
[[gnu::always_inline]] inline void spatial_monomials(int degree, const Number& x, const Number& y, Number* values) {
  values[0] = 1.0 - Number{};
  std::size_t start = 1;
  for (std::size_t d = 1; d <= static_cast<std::size_t>(degree); ++d) {
    for (std::size_t j = 0; j < d; ++j) values[start + j] = values[start - d + j] * x;
    values[start + d] = values[start - 1] * y;
    start += d + 1;
  }
}

}  // namespace quoin
