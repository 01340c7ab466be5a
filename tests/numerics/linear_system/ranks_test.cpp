// Linear systems on several ranks, threads of this process: all that comes out has the bits of one process.

#include <gmock/gmock.h>

#include <fstream>

#include "numerics/linear_system/reference.hpp"
#include "numerics/on_ranks.hpp"
#include "problems/linear_system/setup/generators.hpp"
#include "problems/linear_system/setup/matrix_part.hpp"
#include "quoin/testing/fake_checkpoint.hpp"
#include "temporary_folder.hpp"

namespace quoin::test {
namespace {

using ::testing::HasSubstr;

template <class Lead>
void on_ranks(const Case& the_case, int ranks, const Lead& lead) {
  test::on_ranks(
      ranks, [&] { return std::make_unique<LinearSystemProblem>(the_case); }, lead);
}

std::string figures_of(const LinearSystemProblem& problem) {
  std::string text;
  for (const Figure& figure : problem.figures()) {
    if (figure.name.starts_with("matrix.") && figure.name != "matrix.rows") continue;  // how it is stored
    text += figure.name + " ";
    if (const double* real = std::get_if<double>(&figure.value)) text += fmt::format("{:a}\n", *real);
    if (const auto* integer = std::get_if<std::int64_t>(&figure.value)) text += fmt::format("{}\n", *integer);
  }
  return text;
}

struct Solved {
  Result result;
  std::string figures;
};

Solved solved(LinearSystemProblem& problem) {
  Solved all{finish(problem), {}};
  all.figures = figures_of(problem);
  return all;
}

Solved solved_alone(const Case& the_case) {
  LinearSystemProblem problem(the_case);
  problem.set_up(executor());
  return solved(problem);
}

void expect_same(const Solved& expected, const Solved& found) {
  EXPECT_EQ(found.result.last.status, expected.result.last.status);
  EXPECT_EQ(found.result.last.iterations, expected.result.last.iterations);
  EXPECT_EQ(found.result.last.residual, expected.result.last.residual);
  EXPECT_EQ(found.result.last.message, expected.result.last.message);
  EXPECT_EQ(found.result.norms, expected.result.norms);
  EXPECT_EQ(found.result.x, expected.result.x);
  EXPECT_EQ(found.figures, expected.figures);
  ASSERT_EQ(found.result.errors.has_value(), expected.result.errors.has_value());
  if (!expected.result.errors) return;
  EXPECT_EQ(found.result.errors->l2, expected.result.errors->l2);
}

void expect_bits_of_one(const Case& the_case, std::initializer_list<int> counts) {
  const Solved alone = solved_alone(the_case);
  for (const int ranks : counts) {
    SCOPED_TRACE(std::to_string(ranks) + " ranks");
    Solved together;
    on_ranks(the_case, ranks, [&](LinearSystemProblem& problem) { together = solved(problem); });
    expect_same(alone, together);
  }
}

constexpr const char* grid = "matrix: {generator: poisson, nodes: [90, 41]}, rhs: {solution: random}";
constexpr const char* flow =
    "matrix: {generator: convection-diffusion, nodes: [70, 51], velocity: [0.4, 0.1]}, rhs: ones";

struct Method {
  const char* name;
  const char* problem;
  const char* keys;
};

class LinearRanks : public ::testing::TestWithParam<Method> {};

TEST_P(LinearRanks, HaveTheBitsOfOneProcess) {
  for (const char* precision : {"double", "float"}) {
    SCOPED_TRACE(precision);
    expect_bits_of_one(
        linear_case(GetParam().problem, std::string(GetParam().keys) +
                                            ", relative_tolerance: 1e-4, max_iterations: 60, precision: " + precision),
        {2, 3, 7});
  }
}

INSTANTIATE_TEST_SUITE_P(
    Methods, LinearRanks,
    ::testing::Values(Method{"cg", grid, "solver: cg, preconditioner: {type: none}"},
                      Method{"cg_jacobi", grid, "solver: cg, preconditioner: {type: jacobi}"},
                      Method{"cg_blocks_over_cuts", grid, "solver: cg, preconditioner: {type: block-jacobi, block: 7}"},
                      Method{"cg_supervariables", grid,
                             "solver: cg, preconditioner: {type: block-jacobi, block: 16, blocks: supervariable}"},
                      Method{"cg_amg", grid, "solver: cg, preconditioner: {type: amg}"},
                      Method{"bicgstab", flow, "solver: bicgstab, preconditioner: {type: jacobi}"},
                      Method{"bicgstab_amg", flow, "solver: bicgstab, preconditioner: {type: amg}"},
                      Method{"cgs", flow, "solver: cgs, preconditioner: {type: block-jacobi, block: 5}"},
                      Method{"bicg", flow, "solver: bicg, preconditioner: {type: jacobi}"},
                      Method{"gmres", flow, "solver: gmres, restart: 20, preconditioner: {type: none}"},
                      Method{"gmres_amg", flow, "solver: gmres, restart: 7, preconditioner: {type: amg}"},
                      Method{"richardson", grid, "solver: richardson, damping: 0.6, preconditioner: {type: amg}"}),
    [](const auto& each) { return std::string(each.param.name); });

class LinearRanksOf : public ::testing::TestWithParam<const char*> {};

TEST_P(LinearRanksOf, AnyFormatAndMatrix) {
  for (const char* matrix :
       {"matrix: {generator: power-law, rows: 3000, degree: 9}", "matrix: {generator: arrow, rows: 1000}",
        "matrix: {generator: poisson, nodes: [12, 13, 14], points: 27}", "matrix: {generator: tridiagonal, rows: 1025}",
        "matrix: {generator: tridiagonal, rows: 30}", "matrix: {generator: tridiagonal, rows: 1}"}) {
    SCOPED_TRACE(matrix);
    const bool gaps = std::string(matrix).find("power-law") != std::string::npos;
    if (gaps && std::string(GetParam()).find("sell") != std::string::npos) continue;  // it refuses so many
    expect_bits_of_one(linear_case(std::string(matrix) + ", rhs: ones",
                                   std::string("solver: gmres, preconditioner: {type: jacobi}, relative_tolerance: "
                                               "1e-6, max_iterations: 25, ") +
                                       GetParam()),
                       {2, 5});
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, LinearRanksOf,
                         ::testing::Values("format: csr", "format: sell, share: on", "format: sell, share: off",
                                           "format: coo", "format: hybrid", "format: auto"));

TEST(LinearRanksRun, TakeNoMoreOfADeviceThanIsSaid) {
  for (const char* keys : {"solver: cg, preconditioner: {type: jacobi}", "solver: gmres, restart: 20",
                           "solver: cg, preconditioner: {type: amg}"}) {
    SCOPED_TRACE(keys);
    const Case the_case = linear_case("matrix: {generator: poisson, nodes: [300, 200]}, rhs: {solution: random}", keys);
    for (const int ranks : {1, 4})
      test::expect_fitting_estimate(
          ranks, [&] { return std::make_unique<LinearSystemProblem>(the_case); },
          5.0);  // how little a matrix takes that repeats itself is unknown
  }
}

TEST(LinearRanksRun, GoOnWithACheckpointOfAnyOtherNumber) {
  for (const char* method : {"solver: cg, preconditioner: {type: jacobi}", "solver: gmres, restart: 9",
                             "solver: bicgstab, preconditioner: {type: amg}"}) {
    SCOPED_TRACE(method);
    const Case the_case = linear_case(std::string(method).starts_with("solver: cg") ? grid : flow,
                                      std::string(method) + ", relative_tolerance: 1e-8, max_iterations: 400");
    const Solved unbroken = solved_alone(the_case);
    ASSERT_EQ(unbroken.result.last.status, Status::converged);
    std::map<std::string, std::vector<std::byte>> saved;
    for (const auto& [before, after] : {std::pair(1, 3), std::pair(4, 1), std::pair(3, 2)}) {
      testing::FakeCheckpoint checkpoint;
      std::vector<double> norms;
      on_ranks(the_case, before, [&](LinearSystemProblem& problem) {
        problem.pause_every(1);
        for (int calls = 0; calls < 5; ++calls)
          for (const Row& row : problem.advance().history) norms.push_back(std::get<double>(row[1]));
        problem.save(checkpoint);
      });
      if (saved.empty()) saved = checkpoint.arrays;
      EXPECT_EQ(checkpoint.arrays, saved);
      Solved together;
      on_ranks(the_case, after, [&](LinearSystemProblem& problem) {
        problem.restore(checkpoint);
        together = solved(problem);
      });
      norms.insert(norms.end(), together.result.norms.begin(), together.result.norms.end());
      together.result.norms = norms;
      expect_same(unbroken, together);
    }
  }
}

TEST(LinearRanksRun, TellOfABreakdownOnce) {
  TemporaryFolder folder;
  const std::string file = folder.path / "indefinite.mtx";
  std::ofstream(file) << "%%MatrixMarket matrix coordinate real symmetric\n1100 1100 1100\n"
                      << [] {
                           std::string lines;
                           for (int k = 1; k <= 1100; ++k)
                             lines += fmt::format("{0} {0} {1}\n", k, k == 1099 ? 1e-3 : 1.0 + k);
                           return lines;
                         }();
  const std::string matrix = "matrix: {file: '" + file + "'}";
  expect_bits_of_one(linear_case(matrix + ", rhs: ones", "solver: cgs, relative_tolerance: 1e-13, max_iterations: 90"),
                     {2, 4});
  expect_bits_of_one(linear_case("matrix: {generator: poisson, nodes: [40, 40]}, rhs: ones",
                                 "solver: richardson, damping: 3, max_iterations: 3000"),
                     {3});
}

TEST(LinearRanksRun, IncompleteFactorsAreOfOneProcess) {
  try {
    on_ranks(linear_case(grid, "preconditioner: {type: ilu}"), 2, [](LinearSystemProblem&) {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::case_file);
    EXPECT_THAT(error.what(), HasSubstr("ilu runs in one process alone; take jacobi, block-jacobi or amg"));
  }
}

TEST(Cuts, AreWholeBlocksOfAboutEqualWork) {
  const SparseMatrix a = tridiagonal_matrix(512 * 12 + 5);
  for (const int ranks : {1, 2, 3, 5, 12, 13, 40}) {
    const Cuts cuts(a, ranks);
    std::int64_t next = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const RowRange own = cuts[rank];
      EXPECT_EQ(own.first, next);
      EXPECT_LE(own.rows(), 512 * (13 / ranks + 1));
      EXPECT_TRUE(own.last % 512 == 0 || own.last == a.rows) << own.last;
      next = own.last;
    }
    EXPECT_EQ(next, a.rows);
  }
  // One row has as many entries as all the others together.
  const Cuts uneven(arrow_matrix(512 * 40), 2);
  EXPECT_LT(uneven[0].rows(), uneven[1].rows());
}

TEST(MatrixPart, KeepsTheOrderOfColumns) {
  const SparseMatrix a = power_law_matrix(512 * 6 + 100, 11, 3);
  const Cuts cuts(a, 4);
  std::vector<MatrixPart> parts;
  for (int rank = 0; rank < 4; ++rank) parts.push_back(part_of(a, cuts, cuts, rank));
  std::int64_t entries = 0;
  for (std::size_t rank = 0; rank < 4; ++rank) {
    const MatrixPart& part = parts[rank];
    // The number in the whole of each place of the vector.
    std::vector<std::int64_t> whole(static_cast<std::size_t>(part.matrix.columns), -1);
    const RowRange own = cuts[static_cast<int>(rank)];
    for (std::int64_t k = 0; k < own.rows(); ++k) whole[static_cast<std::size_t>(part.room.front + k)] = own.first + k;
    for (const MatrixPart::Peer& peer : part.peers) {
      const auto& theirs = parts[static_cast<std::size_t>(peer.rank)].peers;
      const auto back = std::ranges::find(theirs, static_cast<int>(rank), &MatrixPart::Peer::rank);
      ASSERT_NE(back, theirs.end());
      ASSERT_EQ(static_cast<std::int64_t>(back->out.size()), peer.count);
      for (std::int64_t k = 0; k < peer.count; ++k)
        whole[static_cast<std::size_t>(peer.in + k)] = cuts[peer.rank].first + back->out[static_cast<std::size_t>(k)];
    }
    for (std::int64_t row = 0; row < own.rows(); ++row) {
      const auto from = static_cast<std::size_t>(a.at[static_cast<std::size_t>(own.first + row)]);
      const auto first = static_cast<std::size_t>(part.matrix.at[static_cast<std::size_t>(row)]);
      const auto last = static_cast<std::size_t>(part.matrix.at[static_cast<std::size_t>(row) + 1]);
      ASSERT_EQ(last - first, static_cast<std::size_t>(a.at[static_cast<std::size_t>(own.first + row) + 1]) - from);
      for (std::size_t k = first; k < last; ++k) {
        EXPECT_EQ(whole[static_cast<std::size_t>(part.matrix.column[k])], a.column[from + k - first]);
        EXPECT_EQ(part.matrix.value[k], a.value[from + k - first]);
        EXPECT_TRUE(k == first || part.matrix.column[k - 1] < part.matrix.column[k]);
      }
    }
    entries += part.matrix.entries();
  }
  EXPECT_EQ(entries, a.entries());
}

}  // namespace
}  // namespace quoin::test
