#include <gmock/gmock.h>

#include <string>

#include "problems/dgcvs/setup/setup.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

using ::testing::HasSubstr;

Solver solver_of(const std::string& equation, const std::string& mesh, const std::string& method,
                 const std::string& sides = "periodic") {
  std::string text = "problem: {type: dg-cvs, equation: " + equation + ", mesh: {cells: [8, 6], " + mesh +
                     "}, boundary: {left: " + sides + ", right: " + sides + ", bottom: " + sides + ", top: " + sides +
                     "}, initial: '1'}\nmethod: {order: 1, final_time: 1" + method + "}\nbackend: serial\noutput: {}\n";
  return DgSetup(Case::parse(text, "case.yaml", {}, KeyTable::standard())).solver;
}

const std::string advection = "{type: advection, velocity: [1, 0.5]}";

TEST(DgSolver, ByDefaultIsMatricesWhereEntitiesAreCongruent) {
  EXPECT_EQ(solver_of(advection, "", ""), Solver::matrices);
  EXPECT_EQ(solver_of(advection, "", ", limiter: always"), Solver::matrices);
  EXPECT_EQ(solver_of(advection, "", "", "{type: dirichlet, value: '1'}"), Solver::matrices);
  EXPECT_EQ(solver_of(advection, "shape: tri", ""), Solver::sweeps);
  EXPECT_EQ(solver_of(advection, "perturb: 0.1", ""), Solver::sweeps);
  EXPECT_EQ(solver_of("burgers", "", ""), Solver::sweeps);
}

TEST(DgSolver, ByDefaultIsSweepsWhereTheCaseSpeaksOfThem) {
  EXPECT_EQ(solver_of(advection, "", ", sweeps: 3"), Solver::sweeps);
  EXPECT_EQ(solver_of(advection, "", ", loops: split"), Solver::sweeps);
  EXPECT_EQ(solver_of(advection, "", ", loops: split, solver: matrices"), Solver::matrices);
}

TEST(DgSolver, IsWhatTheCaseSays) {
  EXPECT_EQ(solver_of(advection, "", ", solver: sweeps"), Solver::sweeps);
  EXPECT_EQ(solver_of(advection, "", ", solver: newton"), Solver::newton);
  EXPECT_EQ(solver_of(advection, "", ", solver: matrices"), Solver::matrices);
}

TEST(DgSolver, IsRefusedWhereEntitiesDiffer) {
  try {
    solver_of(advection, "shape: tri", ", solver: matrices");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::case_file);
    EXPECT_THAT(error.what(), HasSubstr("the inner cells are not congruent"));
  }
}

}  // namespace
}  // namespace quoin
