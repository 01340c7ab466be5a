#include "problems/dgcvs/scheme/basis.hpp"

namespace quoin {

std::vector<Member> basis_members(int order) {
  std::vector<Member> members;
  for (int k = 0; k <= order; ++k) {
    for (int degree = 0; degree <= order - k; ++degree) {
      for (int j = 0; j <= degree; ++j) members.push_back({degree - j, j, k});
    }
  }
  return members;
}

void spatial_monomials(int degree, double x, double y, std::span<double> values) {
  values[0] = 1.0;
  std::size_t start = 1;
  for (std::size_t d = 1; d <= static_cast<std::size_t>(degree); ++d) {
    for (std::size_t j = 0; j < d; ++j) values[start + j] = values[start - d + j] * x;
    values[start + d] = values[start - 1] * y;
    start += d + 1;
  }
}

}  // namespace quoin
