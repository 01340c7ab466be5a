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

}  // namespace quoin
