#include "quoin/tree_digest.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "kernels/dialect/cpp.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

template <class T>
TreeDigest<T> digest_of(const std::vector<T>& leaves, std::size_t first, std::size_t last) {
  TreeDigest<T> digest(static_cast<std::int64_t>(first));
  for (std::size_t k = first; k < last; ++k) digest.add(leaves[k]);
  return digest;
}

/// Cut at random places, some parts without leaves, and joined with brackets at random.
template <class T>
TreeDigest<T> joined(const std::vector<T>& leaves, std::size_t first, std::size_t last, std::mt19937& random) {
  if (last - first < 2 || random() % 4 == 0) return digest_of(leaves, first, last);
  const std::size_t middle = first + random() % (last - first + 1);
  TreeDigest<T> left = joined(leaves, first, middle, random);
  left.append(joined(leaves, middle, last, random));
  return left;
}

template <class T>
class Digests : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Digests, Reals);

TYPED_TEST(Digests, HaveTheBitsOfTheTreeHoweverTheyAreCut) {
  using T = TypeParam;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1, 1);
  for (const std::size_t count : {0U, 1U, 2U, 3U, 5U, 31U, 32U, 33U, 100U, 1000U, 4096U, 5001U}) {
    std::vector<T> leaves(count);
    for (T& leaf : leaves) leaf = static_cast<T>(std::ldexp(any(random), static_cast<int>(random() % 40)));
    const T expected = kernels::Bodies<T, T>::tree_sum(leaves.data(), static_cast<std::int64_t>(count));
    for (int trial = 0; trial < 100; ++trial)
      ASSERT_TRUE(same_bits(joined(leaves, 0, count, random).sum(), expected)) << count << " leaves";
  }
}

TYPED_TEST(Digests, KeepTheSignOfZeroAndWhatIsNoNumber) {
  using T = TypeParam;
  std::mt19937 random(4);
  for (std::size_t count = 1; count < 20; ++count) {
    const std::vector<T> zeros(count, T(-0.0));
    const T expected = kernels::Bodies<T, T>::tree_sum(zeros.data(), static_cast<std::int64_t>(count));
    EXPECT_TRUE(same_bits(joined(zeros, 0, count, random).sum(), expected));
    std::vector<T> leaves = zeros;
    leaves[count / 2] = std::numeric_limits<T>::quiet_NaN();
    EXPECT_TRUE(std::isnan(joined(leaves, 0, count, random).sum()));
  }
}

TYPED_TEST(Digests, RefuseWhatDoesNotFollow) {
  using T = TypeParam;
  const std::vector<T> leaves(10, T(1));
  TreeDigest<T> digest = digest_of(leaves, 0, 4);
  EXPECT_THROW(digest.append(digest_of(leaves, 5, 6)), Error);
  EXPECT_THROW(digest.append(digest_of(leaves, 3, 6)), Error);
  EXPECT_THROW((void)digest_of(leaves, 2, 6).sum(), Error);
  digest.append(TreeDigest<T>(7));  // no leaves
  EXPECT_EQ(digest.last(), 4);
  EXPECT_EQ(digest.sum(), T(4));
}

TYPED_TEST(Digests, OfAPartAreFew) {
  using T = TypeParam;
  TreeDigest<T> digest(1);  // one group of each size up to 2^16, and down again
  for (std::int64_t k = 1; k < (std::int64_t{1} << 18) - 1; ++k) digest.add(T(1));
  TreeDigest<T> whole(0);
  whole.add(T(1));
  whole.append(digest);
  whole.add(T(1));
  EXPECT_EQ(whole.sum(), static_cast<T>(std::int64_t{1} << 18));
}

}  // namespace
}  // namespace quoin
