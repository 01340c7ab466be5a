#include "problems/jacobi/setup/formulas.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "problems/jacobi/setup/setup.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

using ::testing::HasSubstr;

/// Nodes at whole numbers from (1, 1) on, 300 by 90.
Case case_with(const std::string& source) {
  return Case::parse(
      "problem: {type: jacobi, grid: {nodes: [300, 90]}, domain: {x: [0, 301], y: [0, 91]}, source: '" + source +
          "', boundary: {left: 0, right: 0, bottom: 0, top: 0}}\nmethod: {max_iterations: 1}\nbackend: serial\n",
      "case.yaml", {}, KeyTable::standard());
}

TEST(NodeFormulaRows, AreTheValuesAtTheirNodesInWhateverOrder) {
  const Case the_case = case_with("sin(3*x)*y + x");
  const JacobiSetup setup(the_case);
  std::vector<std::int64_t> order(90);
  std::iota(order.begin(), order.end(), 0);
  for (const std::int64_t j : {89, 3, 4, 5, 6, 7, 8, 9, 2, 2, 40, 41, 42, 43, 88, 89, 0}) order.push_back(j);
  std::vector<double> row(300);
  for (const std::int64_t j : order) {
    setup.source.row(j, row);
    for (std::int64_t i = 0; i < 300; ++i)
      ASSERT_EQ(row[static_cast<std::size_t>(i)], setup.source.at(i, j, 0)) << i << ", " << j;
  }
}

TEST(NodeFormulaRows, ThrowWhereARowThatIsAskedForHasAValueThatIsNotFinite) {
  const Case the_case = case_with("1/((x - 200)^2 + (y - 38)^2) + 1/((x - 5)^2 + (y - 39)^2)");
  const JacobiSetup setup(the_case);
  std::vector<double> row(300);
  for (std::int64_t j = 0; j < 37; ++j) setup.source.row(j, row);
  for (int twice = 0; twice < 2; ++twice) {
    try {
      setup.source.row(37, row);
      FAIL() << "not refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::case_file);
      EXPECT_THAT(error.what(), HasSubstr("at node (199, 37), x = 200, y = 38"));
    }
  }
  setup.source.row(39, row);
  EXPECT_EQ(row[4], setup.source.at(4, 39, 0));
}

}  // namespace
}  // namespace quoin
