#include "quoin/tree_digest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <type_traits>
#include <vector>

#include "kernels/dialect/cpp.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

using Random = std::mt19937_64;

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
Bits<T> bits(T value) {
  return std::bit_cast<Bits<T>>(value);
}

/// Magnitudes far apart, of both signs, with zeros of both: sums in another order have other bits.
template <class T>
std::vector<T> leaves(std::size_t count, Random& random) {
  std::uniform_int_distribution<int> exponent(-20, 20);
  std::uniform_real_distribution<double> mantissa(-1.0, 1.0);
  std::vector<T> values(count);
  for (T& value : values) {
    const double drawn = std::ldexp(mantissa(random), exponent(random));
    value = static_cast<T>(exponent(random) > 0 ? drawn : std::copysign(0.0, drawn));
  }
  return values;
}

template <class T>
TreeDigest<T> digest(const std::vector<T>& values, std::size_t first, std::size_t last) {
  TreeDigest<T> part(static_cast<std::int64_t>(first));
  for (std::size_t k = first; k < last; ++k) part.add(values[k]);
  return part;
}

/// Parts of the leaves, some of them without any, in order.
template <class T>
std::vector<TreeDigest<T>> cut(const std::vector<T>& values, std::size_t parts, Random& random) {
  std::vector<std::size_t> cuts = {0, values.size()};
  while (cuts.size() <= parts) cuts.push_back(random() % (values.size() + 1));
  std::ranges::sort(cuts);
  std::vector<TreeDigest<T>> all;
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) all.push_back(digest(values, cuts[k], cuts[k + 1]));
  return all;
}

template <class T>
TreeDigest<T> joined(std::vector<TreeDigest<T>> parts, Random& random) {
  while (parts.size() > 1) {
    const std::size_t k = random() % (parts.size() - 1);
    parts[k].append(parts[k + 1]);
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(k) + 1);
  }
  return parts[0];
}

template <class T>
auto bytes(const TreeDigest<T>& digest) {
  return std::bit_cast<std::array<std::byte, sizeof digest>>(digest);
}

template <class T>
T tree_sum(const std::vector<T>& values) {
  return kernels::Bodies<T, T>::tree_sum(values.data(), static_cast<kernels::qn_index>(values.size()));
}

template <class T>
ErrorKind append_to(TreeDigest<T> digest, const TreeDigest<T>& next) {
  try {
    digest.append(next);
  } catch (const Error& error) {
    return error.kind();
  }
  return {};
}

template <class T>
class Digest : public ::testing::Test {};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Digest, Precisions);

TYPED_TEST(Digest, HasTheBitsOfTheTreeHoweverItIsCutAndJoined) {
  Random random(7);
  for (const std::size_t count : {0, 1, 2, 3, 4, 5, 31, 32, 33, 63, 64, 65, 1000, 1023, 1025, 4097}) {
    const std::vector<TypeParam> values = leaves<TypeParam>(count, random);
    const TypeParam expected = tree_sum(values);
    const TreeDigest<TypeParam> whole = digest(values, 0, count);
    EXPECT_EQ(bits(whole.sum()), bits(expected)) << count << " leaves";
    for (int repeat = 0; repeat < 40; ++repeat) {
      const TreeDigest<TypeParam> join = joined(cut(values, 1 + random() % 9, random), random);
      ASSERT_EQ(bits(join.sum()), bits(expected)) << count << " leaves, cut and joined by draw " << repeat;
      ASSERT_EQ(join.last(), whole.last());
      ASSERT_TRUE(count == 0 || bytes(join) == bytes(whole)) << count << " leaves";
    }
  }
}

/// Without it the test above says nothing.
TYPED_TEST(Digest, LeavesAddedTogetherAreThoseAddedOneByOne) {
  Random random(5);
  const std::vector<TypeParam> values = leaves<TypeParam>(20000, random);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const std::size_t first = random() % (repeat < 100 ? 70 : values.size());
    const std::size_t last = first + random() % (values.size() + 1 - first);
    const TreeDigest<TypeParam> expected = digest(values, first, last);
    TreeDigest<TypeParam> found(static_cast<std::int64_t>(first));
    for (std::size_t next = first; next < last;) {
      const std::size_t count = repeat % 2 == 0 ? last - first : std::min(last - next, 1 + random() % 5000);
      found.add(std::span(values).subspan(next, count));
      next += count;
    }
    EXPECT_EQ(std::memcmp(&expected, &found, sizeof found), 0) << first << " to " << last;
  }
}

TYPED_TEST(Digest, AnotherOrderHasOtherBits) {
  Random random(7);
  const std::vector<TypeParam> values = leaves<TypeParam>(1000, random);
  TypeParam sum = 0;
  for (const TypeParam value : values) sum += value;
  EXPECT_NE(bits(sum), bits(tree_sum(values)));
}

TYPED_TEST(Digest, KeepsTheSignOfZeroAsTheTreeDoes) {
  for (std::size_t count = 0; count < 40; ++count) {
    const std::vector<TypeParam> values(count, TypeParam(-0.0));
    EXPECT_EQ(bits(digest(values, 0, count).sum()), bits(tree_sum(values))) << count << " leaves";
  }
}

TYPED_TEST(Digest, KeepsWhatIsNotANumber) {
  Random random(3);
  std::vector<TypeParam> values = leaves<TypeParam>(100, random);
  values[77] = std::numeric_limits<TypeParam>::quiet_NaN();
  EXPECT_TRUE(std::isnan(joined(cut(values, 5, random), random).sum()));
}

TYPED_TEST(Digest, OneWithoutLeavesChangesNothingWhereverItStands) {
  const std::vector<TypeParam> values = {1, 2, 3};
  const TreeDigest<TypeParam> empty(1000);
  TreeDigest<TypeParam> after = digest(values, 1, 3);
  after.append(empty);
  EXPECT_EQ(after.last(), 3);
  TreeDigest<TypeParam> before(1000);
  before.append(after);
  EXPECT_EQ(before.first(), 1);
  EXPECT_EQ(bytes(before), bytes(after));
  EXPECT_EQ(bits(empty.sum()), bits(TypeParam(0)));
}

TYPED_TEST(Digest, AGapAnOverlapAndASumOfAPartAreBugs) {
  const std::vector<TypeParam> values = {1, 2, 3, 4, 5, 6};
  const auto part = digest(values, 0, 3);
  EXPECT_EQ(append_to(part, digest(values, 4, 6)), ErrorKind::bug);
  EXPECT_EQ(append_to(part, digest(values, 2, 6)), ErrorKind::bug);
  EXPECT_EQ(append_to(part, digest(values, 3, 6)), ErrorKind{});
  EXPECT_THROW((void)digest(values, 1, 6).sum(), Error);
}

/// The most groups that a digest can have: a memory sanitizer sees one more than there is room for.
TYPED_TEST(Digest, HoldsTheLongestRangeOfOddEnds) {
  constexpr std::int64_t most = TreeDigest<TypeParam>::most_leaves;
  TreeDigest<TypeParam> wide(1);
  for (int level = 0; level < 46; ++level) wide.add_group(1, level);
  for (int level = 46; level-- > 0;) wide.add_group(TypeParam(level), level);
  EXPECT_EQ(wide.last(), most - 1);
  TreeDigest<TypeParam> whole;
  whole.add(2);
  whole.append(wide);
  whole.add(4);
  EXPECT_EQ(whole.last(), most);
  EXPECT_EQ(whole.sum(), TypeParam(2 + 46 + 45 * 46 / 2 + 4));
  EXPECT_THROW(whole.add(0), Error);
}

TYPED_TEST(Digest, AGroupStandsWhereTheTreeHasIt) {
  TreeDigest<TypeParam> digest(2);
  EXPECT_THROW(digest.add_group(1, 2), Error);
  digest.add_group(1, 1);
  digest.add_group(2, 2);
  EXPECT_EQ(digest.last(), 8);
  EXPECT_THROW(TreeDigest<TypeParam>(-1).add(1), Error);
}

}  // namespace
}  // namespace quoin
