// A run's bits are those of its mesh, whichever kind of file that comes in.

#include "framework/mesh/msh_file.hpp"
#include "numerics/dgcvs/solver.hpp"
#include "temporary_folder.hpp"

namespace quoin {
namespace {

TEST(DgCvsMeshFiles, GiveTheSameBitsInEveryKind) {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path / "plate.msh").string();
  const Case the_case =
      test::dgcvs_case("equation: burgers, mesh: {type: gmsh, file: '" + file +
                           "', refine: 2}, boundary: {left: {type: dirichlet, value: 1}, the bottom: open, top: open, "
                           "'8': open}, initial: '1+0.3*sin(pi*(x+y))'",
                       "order: 2, final_time: 0.2");
  std::vector<test::DgSolved> runs;
  test::for_each_kind({}, [&](const std::string& text) {
    test::write_text(file, text);
    runs.push_back(test::solve(the_case));
    EXPECT_EQ(runs.back().last.status, Status::completed);
    EXPECT_GT(runs.back().last.iterations, 5);
    EXPECT_GT(runs.back().highest(), runs.back().lowest() + 0.1);
    EXPECT_EQ(runs.back().values(), runs.front().values());
    EXPECT_EQ(runs.back().masses, runs.front().masses);
    EXPECT_EQ(runs.back().norms, runs.front().norms);
  });
  EXPECT_EQ(runs.size(), 6U);
}

}  // namespace
}  // namespace quoin
