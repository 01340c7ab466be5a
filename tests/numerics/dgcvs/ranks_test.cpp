// DG-CVS on several ranks, threads of this process: all that comes out has the bits of one process.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <set>

#include "numerics/dgcvs/solver.hpp"
#include "numerics/on_ranks.hpp"
#include "problems/dgcvs/scheme/partition.hpp"
#include "quoin/testing/fake_checkpoint.hpp"

namespace quoin::test {
namespace {

constexpr std::int64_t usual_chunk = 256;

template <class Lead>
void on_ranks(const Case& the_case, int ranks, const Lead& lead, std::int64_t longest_chunk = usual_chunk) {
  test::on_ranks(
      ranks, [&] { return std::make_unique<DgProblem>(the_case, longest_chunk); }, lead);
}

/// All that a run hands out, in digits that tell the bits.
class Transcript final : public FieldSink {
 public:
  void grid(const GridField& /*field*/) override { text_ += "a grid\n"; }
  void vector(const VectorValues& /*vector*/) override { text_ += "a vector\n"; }
  void elements(const ElementFields& frame) override {
    text_ += fmt::format("{} {} {:a}\n", frame.level, frame.step, frame.time);
    for (const NodeValues& field : frame.fields)
      text_ += fmt::format("{} {:a}\n", field.name, fmt::join(field.values, " "));
    for (const NamedArray& array : frame.data)
      std::visit([&](const auto& values) { text_ += fmt::format("{} {}\n", array.name, fmt::join(values, " ")); },
                 array.values);
  }
  void series(const Table& more) override { table(more); }
  void table(const Table& table) override {
    text_ += table.name + "\n";
    for (const Row& row : table.rows) add(row);
  }
  void add(const Row& row) {
    for (const Number& number : row)
      std::visit(
          [&](auto value) { text_ += fmt::format(std::is_same_v<decltype(value), double> ? "{:a} " : "{} ", value); },
          number);
    text_ += "\n";
  }
  void add(const std::string& line) { text_ += line + "\n"; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// To the end, or for so many calls of advance().
void go_on(DgProblem& problem, Transcript& told, int calls = std::numeric_limits<int>::max()) {
  Progress progress;
  do {
    progress = problem.advance();
    for (const Row& row : progress.history) told.add(row);
    problem.sample(told);
    if (progress.frame) problem.write(told);
  } while (progress.status == Status::running && --calls > 0);
  if (progress.status == Status::running) return;
  told.add(fmt::format("{} {}", to_string(progress.status), progress.message));
  problem.write(told);
  told.add(problem.finite() ? "finite" : "not finite");
  if (const std::optional<Errors> errors = problem.errors())
    told.add(fmt::format("{:a} {:a} {:a}", errors->l1, errors->l2, errors->linf));
  for (const Figure& figure : problem.figures())
    if (const double* real = std::get_if<double>(&figure.value);
        real != nullptr && figure.name.find("second") == std::string::npos)
      told.add(fmt::format("{} {:a}", figure.name, *real));
}

struct WholeRun {
  Transcript told;
  testing::FakeCheckpoint end;
};

WholeRun run_alone(const Case& the_case, std::int64_t longest_chunk = usual_chunk) {
  WholeRun run;
  DgProblem problem(the_case, longest_chunk);
  problem.set_up(executor());
  go_on(problem, run.told);
  problem.save(run.end);
  return run;
}

void expect_bits_of_one(const Case& the_case, std::initializer_list<int> counts, const char* end = "completed",
                        std::int64_t longest_chunk = usual_chunk) {
  const WholeRun alone = run_alone(the_case, longest_chunk);
  ASSERT_THAT(alone.told.text(), ::testing::HasSubstr(end));
  for (const int ranks : counts) {
    SCOPED_TRACE(std::to_string(ranks) + " ranks");
    WholeRun run;
    on_ranks(
        the_case, ranks,
        [&](DgProblem& problem) {
          go_on(problem, run.told);
          problem.save(run.end);
        },
        longest_chunk);
    EXPECT_EQ(run.told.text(), alone.told.text());
    EXPECT_EQ(run.end.arrays, alone.end.arrays);
  }
}

const std::string sine =
    "equation: {type: advection, velocity: [1, -0.6]}, " + periodic + "initial: 'sin(2*pi*(x+y))', ";
const std::string moving_sides =
    "equation: {type: advection, velocity: [1, 0.3]}, boundary: {left: {type: dirichlet, value: 'sin(2*pi*(x-t))'}, "
    "right: open, bottom: {type: dirichlet, value: 'sin(2*pi*(x-t))'}, top: open}, initial: 'sin(2*pi*x)', ";
const std::string water =
    "equation: {type: shallow_water, gravity: 1}, boundary: {left: wall, right: {type: dirichlet, value: {h: '1', hu: "
    "'0', hv: '0'}}, bottom: wall, top: open}, initial: {h: '1+0.1*cos(pi*x)', hu: '0.05*y', hv: '0'}, ";
const std::string dam =
    "equation: {type: shallow_water, gravity: 1}, boundary: {left: wall, right: wall, bottom: wall, top: wall}, "
    "initial: {h: 'x < 0.3 ? 2 : 1', hu: '0', hv: '0'}, ";

struct Flow {
  const char* name;
  std::string problem;
  const char* method;
};
void PrintTo(const Flow& flow, std::ostream* out) { *out << flow.name; }

class DgRanks : public ::testing::TestWithParam<Flow> {};

TEST_P(DgRanks, HaveTheBitsOfOneProcess) {
  expect_bits_of_one(dgcvs_case(GetParam().problem, GetParam().method), {2, 3, 7});
}

INSTANTIATE_TEST_SUITE_P(
    Flows, DgRanks,
    ::testing::Values(
        Flow{"periodic", sine + "mesh: {cells: [13, 9], perturb: 0.3}", "order: 2, final_time: 0.1"},
        Flow{"congruent", sine + "mesh: {cells: [12, 14]}", "order: 1, final_time: 0.1, solver: matrices"},
        Flow{"congruent_with_sides", moving_sides + "mesh: {cells: [12, 9]}",
             "order: 2, final_time: 0.05, solver: matrices"},
        Flow{"moving_sides", moving_sides + "mesh: {cells: [9, 7], shape: tri}", "order: 3, final_time: 0.1"},
        Flow{"in_order_of_the_mesh", moving_sides + "mesh: {cells: [9, 7], shape: tri}",
             "order: 1, final_time: 0.1, entities: mesh_order"},
        Flow{"newton", water + "mesh: {cells: [6, 5], shape: tri}", "order: 1, final_time: 0.1, solver: newton"},
        Flow{"split", water + "mesh: {cells: [6, 5], perturb: 0.2}",
             "order: 2, final_time: 0.1, loops: split, precision: float"},
        Flow{"indicator", water + "mesh: {cells: [6, 5], shape: tri}",
             "order: 1, final_time: 0.2, limiter: indicator, limiter_threshold: 0.01"},
        Flow{"breaking_dam", dam + "mesh: {cells: [24, 3]}", "order: 2, final_time: 0.1"},
        Flow{"constants", water + "mesh: {cells: [6, 5]}", "order: 0, final_time: 0.3"}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(DgRanksRun, TakeNoMoreOfADeviceThanIsSaid) {
  for (const Case& the_case : {dgcvs_case(sine + "mesh: {cells: [60, 50], perturb: 0.3}", "order: 2, final_time: 0.1"),
                               dgcvs_case(water + "mesh: {cells: [30, 40], shape: tri}", "order: 1, final_time: 0.1")})
    for (const int ranks : {1, 4})
      test::expect_fitting_estimate(
          ranks, [&] { return std::make_unique<DgProblem>(the_case); }, 2.0);
}

/// What others read of a rank, before the rest.
TEST(DgRanksRun, PassOnWhatIsReadBesideTheRest) {
  const auto with = [](const std::string& problem, const std::string& method, const char* overlap) {
    return Case::parse("problem: {type: dg-cvs, " + problem + "}\nmethod: {" + method +
                           ", final_time: 0.02}\nbackend: serial\noutput: {history_every: 1}\n",
                       "case.yaml", {{"run.overlap", overlap}}, KeyTable::standard());
  };
  const auto launches = [](const Case& the_case) {
    std::uint64_t count = 0;
    on_ranks(the_case, 2, [&](DgProblem& problem) {
      Transcript told;
      go_on(problem, told);
      count = problem.launches();
    });
    return count;
  };
  const std::vector<std::pair<std::string, std::string>> flows{
      {sine + "mesh: {cells: [20, 40]}", "order: 1, solver: matrices"},
      {sine + "mesh: {cells: [20, 40], perturb: 0.2}", "order: 2, precision: float"},
      {moving_sides + "mesh: {cells: [16, 24], shape: tri}", "order: 1, loops: split"},
      {water + "mesh: {cells: [10, 32], shape: tri}", "order: 1, solver: newton"}};
  for (const auto& [problem, method] : flows) {
    SCOPED_TRACE(problem + method);
    expect_bits_of_one(with(problem, method, "on"), {2, 3});
    EXPECT_GT(launches(with(problem, method, "on")), launches(with(problem, method, "off")));
  }
  const std::string limited = "order: 1, limiter: indicator";
  EXPECT_EQ(launches(with(flows[3].first, limited, "on")), launches(with(flows[3].first, limited, "off")));
}

TEST(DgRanksRun, MayHaveMoreRanksThanCells) {
  expect_bits_of_one(dgcvs_case(moving_sides + "mesh: {cells: [2, 1]}", "order: 1, final_time: 0.5"), {2, 5, 16});
  expect_bits_of_one(dgcvs_case(sine + "mesh: {cells: [3, 3]}", "order: 1, final_time: 0.1"), {16});
}

/// Steps are launched one by one: what a run that is lost does beyond that depends on the clock.
TEST(DgRanksRun, DivergeAsOneProcessDoes) {
  expect_bits_of_one(dgcvs_case(dam + "mesh: {cells: [24, 3]}", "order: 2, final_time: 1, limiter: none, cfl: 1.5"),
                     {3}, "diverged", 1);
  expect_bits_of_one(dgcvs_case(sine + "mesh: {cells: [9, 9]}", "order: 3, final_time: 2, cfl: 1.5"), {3}, "diverged",
                     1);
}

/// Frames, and values at points, some of them of the same cell; meshes of files, whose entities follow a curve.
TEST(DgRanksRun, WriteFramesAndSamplesOfAnyMesh) {
  const Case the_case = Case::parse(
      "problem: {type: dg-cvs, " + moving_sides + "mesh: {cells: [9, 7], shape: tri, perturb: 0.1}}\n" +
          "method: {order: 2, final_time: 0.1}\nbackend: serial\n"
          "output: {history_every: 3, fields: {every: 4 steps, level: both}, probes: {every: 2 steps, points: "
          "[[0.9, 0.1], [0.2, 0.7], [0.21, 0.7], [0.1, 0.2]]}, lines: {across: {from: [0, 0], to: [1, 1], "
          "samples: 11}}}\n",
      "case.yaml", {}, KeyTable::standard());
  expect_bits_of_one(the_case, {2, 5});
  for (const char* file : {"adv-sin-p1-tri-10-dirichlet", "adv-sin-p2-tri-10", "burgers-p1-tri-10"})
    expect_bits_of_one(shipped(file, {{"method.final_time", "0.1"}, {"output.fields.level", "both"}}), {2, 3, 7});
}

/// Cuts of all kinds: what peers read lies in one stretch of lanes or in several, with gaps or without.
TEST(DgRanksRun, CutMeshesOfFilesAnywhere) {
  for (const char* file : {"adv-sin-p1-tri-20-dirichlet", "adv-sin-p1-tri-20", "burgers-p1-quad-20-dirichlet"})
    expect_bits_of_one(shipped(file, {{"method.max_steps", "3"}}), {2, 3, 4, 5, 6, 7, 8, 9}, "max_steps");
}

TEST(DgRanksRun, GoOnWithACheckpointOfAnyOtherNumber) {
  for (const char* method : {"order: 1, final_time: 0.3", "order: 1, final_time: 0.3, solver: matrices"}) {
    SCOPED_TRACE(method);
    const Case the_case = dgcvs_case(sine + "mesh: {cells: [12, 10]}", method);
    const Case longer = dgcvs_case(sine + "mesh: {cells: [12, 10]}",
                                   std::string(method).replace(std::string(method).find("0.3"), 3, "0.37"));
    const auto from = [&](const Case& further, int before, int after) {
      testing::FakeCheckpoint checkpoint;
      Transcript told;
      constexpr std::int64_t one_by_one = 1;
      on_ranks(
          the_case, before,
          [&](DgProblem& problem) {
            go_on(problem, told, 3);
            problem.save(checkpoint);
          },
          one_by_one);
      WholeRun run;
      on_ranks(further, after, [&](DgProblem& problem) {
        problem.restore(checkpoint);
        go_on(problem, run.told);
        problem.save(run.end);
      });
      return std::tuple(checkpoint.arrays, told.text() + run.told.text(), run.end.arrays);
    };
    for (const Case* further : {&the_case, &longer}) {
      const auto alone = from(*further, 1, 1);
      if (further == &the_case) {
        EXPECT_EQ(std::get<1>(alone), run_alone(the_case).told.text());
      }
      for (const auto& [before, after] : {std::pair(1, 3), std::pair(4, 1), std::pair(3, 2)})
        EXPECT_EQ(from(*further, before, after), alone) << before << " to " << after;
    }
  }
}

TEST(DgRanksRun, StartFromTheFieldsOfAnotherRun) {
  const std::string mesh = "mesh: {cells: [8, 5], shape: tri}";
  const std::string flow = std::string(water).replace(water.find("open"), 4, "wall");
  const Case first = dgcvs_case(flow + mesh, "order: 1, final_time: 0.1");
  const testing::FakeCheckpoint fields = run_alone(first).end;
  const std::string kept =
      std::string(flow).replace(flow.find("initial: {"), std::string::npos, "initial: {from: other}, ");
  const Case second = dgcvs_case(kept + mesh, "order: 1, final_time: 0.1");
  const auto started = [&](int ranks) {
    Transcript told;
    testing::FakeCheckpoint checkpoint = fields;
    on_ranks(second, ranks, [&](DgProblem& problem) {
      problem.start_from(checkpoint, first);
      go_on(problem, told);
    });
    return told.text();
  };
  const std::string alone = started(1);
  EXPECT_EQ(started(3), alone);
}

class Partitions : public ::testing::TestWithParam<int> {};

TEST_P(Partitions, GiveEachEntityToOneRankAndKnowWhatItReads) {
  const int ranks = GetParam();
  for (const char* mesh : {"mesh: {cells: [9, 7], shape: tri}", "mesh: {cells: [5, 4]}"}) {
    const Case the_case = dgcvs_case(moving_sides + mesh, "order: 1, final_time: 0.1");
    const DgSetup setup(the_case);
    const Partition partition(setup, ranks);
    for (const EntityKind kind : {EntityKind::cells, EntityKind::vertices}) {
      const Entities& all = entities_of(setup.staggered, kind);
      std::vector<int> owners(static_cast<std::size_t>(all.count()), -1);
      for (int rank = 0; rank < ranks; ++rank) {
        const EntityPart part = partition.part(kind, rank);
        for (std::int64_t k = 0; k < part.count(); ++k) {
          int& owner = owners.at(static_cast<std::size_t>(part.entity(k)));
          EXPECT_EQ(owner, -1);
          owner = rank;
          EXPECT_EQ(partition.owner(kind, part.entity(k)), rank);
        }
        if (kind == EntityKind::cells) {
          EXPECT_NEAR(static_cast<double>(part.count()), static_cast<double>(all.count()) / ranks, 1.0);
        }
      }
      EXPECT_THAT(owners, ::testing::Each(::testing::Ge(0)));
      for (int rank = 0; rank < ranks; ++rank) {
        std::set<std::int64_t> read;  // by the entities of the other kind
        const EntityPart readers = partition.own(other(kind), rank);
        for (std::int64_t k = 0; k < readers.count(); ++k)
          for (const std::int64_t q : entities_of(setup.staggered, other(kind)).quads_of(readers.entity(k)))
            read.insert(owner_of(setup.staggered.quads[static_cast<std::size_t>(q)], kind));
        std::erase_if(read, [&](std::int64_t e) { return owners[static_cast<std::size_t>(e)] == rank; });
        std::set<std::int64_t> ghosts;
        for (const EntityPart::Peer& peer : partition.part(kind, rank).peers) {
          ghosts.insert(peer.in.begin(), peer.in.end());
          const std::vector<EntityPart::Peer> theirs = partition.part(kind, peer.rank).peers;
          const auto back = std::ranges::find(theirs, rank, &EntityPart::Peer::rank);
          ASSERT_NE(back, theirs.end());
          EXPECT_EQ(back->out, peer.in);
          EXPECT_EQ(back->in, peer.out);
        }
        EXPECT_EQ(ghosts, read);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, Partitions, ::testing::Values(1, 2, 3, 7, 100));

}  // namespace
}  // namespace quoin::test
