// What the host does with a flow where its values lie: how it starts, whether it is finite, and its frames.

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "numerics/dgcvs/solver.hpp"
#include "quoin/testing/fake_checkpoint.hpp"

namespace quoin {
namespace {

using test::DgSolved;

/// Some steps.
Case moving(const std::string& precision, const std::string& mesh = "mesh: {cells: [6, 5]}, ") {
  return test::dgcvs_case("equation: burgers, " + mesh + "domain: {x: [0, 1], y: [0, 1]}, " + test::periodic +
                              "initial: '1 + 0.2 * sin(2*pi*(x + y))'",
                          "order: 2, final_time: 0.1, max_steps: 3, precision: " + precision);
}

/// Keeps what several threads get that ask for all arrays at the same time.
struct AskedByMany final : DgSolved {
  std::vector<ElementFields> all{4};
  void elements_of_ranks(const ElementsOfRanks& elements) override {
    ASSERT_TRUE(elements.by_many);
    std::vector<std::jthread> threads;
    for (ElementFields& one : all) threads.emplace_back([&] { one = collected(elements); });
  }
};

TEST(DgFrames, GiveTheirArraysToManyAtOnce) {
  for (const std::string mesh : {"mesh: {cells: [90, 50]}, ", "mesh: {cells: [60, 50], shape: tri}, "}) {
    DgProblem problem(moving("double", mesh));
    problem.set_up(test::executor());
    while (problem.advance().status == Status::running) {
    }
    AskedByMany many;
    problem.write(many);
    DgSolved one;
    problem.write(one);
    for (const ElementFields& frame : many.all) {
      ASSERT_EQ(frame.nodes.size(), one.cells.nodes.size());
      EXPECT_EQ(std::memcmp(frame.nodes.data(), one.cells.nodes.data(), sizeof(Point) * frame.nodes.size()), 0);
      EXPECT_EQ(frame.shapes, one.cells.shapes);
      EXPECT_EQ(frame.fields.front().values, one.cells.fields.front().values);
      ASSERT_EQ(frame.data.size(), one.cells.data.size());
      for (std::size_t k = 0; k < frame.data.size(); ++k) EXPECT_EQ(frame.data[k].values, one.cells.data[k].values);
    }
  }
}

/// Node by node, a polynomial of the frame's own coefficients.
TEST(DgFrames, HaveTheValuesOfTheirPolynomials) {
  for (const std::string mesh : {"mesh: {cells: [6, 5]}, ", "mesh: {cells: [5, 4], shape: tri}, "}) {
    const ElementFields frame = test::solve(moving("double", mesh)).cells;
    const auto array = [&]<class T>(const char* name, T) {
      return std::get<std::vector<T>>(std::ranges::find(frame.data, name, &NamedArray::name)->values);
    };
    const std::vector<double> coefficients = array("coefficients", 0.0);
    const std::vector<double> centre = array("centre", 0.0);
    const std::vector<double> length = array("length", 0.0);
    const std::vector<std::int64_t> powers = array("powers", std::int64_t{});
    std::size_t node = 0;
    for (std::size_t cell = 0; cell < frame.shapes.size(); ++cell) {
      const std::size_t end = node + lagrange_nodes(frame.shapes[cell], frame.order).size();
      for (; node < end; ++node) {
        const double x = (frame.nodes[node].x - centre[2 * cell]) / length[cell];
        const double y = (frame.nodes[node].y - centre[2 * cell + 1]) / length[cell];
        double value = 0.0;
        for (std::size_t n = 0; n < powers.size() / 3; ++n)
          if (powers[3 * n + 2] == 0)
            value += coefficients[cell * powers.size() / 3 + n] * std::pow(x, static_cast<double>(powers[3 * n])) *
                     std::pow(y, static_cast<double>(powers[3 * n + 1]));
        ASSERT_NEAR(frame.fields.front().values[node], value, 1e-14) << "cell " << cell;
      }
    }
    EXPECT_EQ(node, frame.nodes.size());
  }
}

TEST(DgStart, GoesOnFromWhatAnEstimateHasLookedAt) {
  const auto values = [](bool estimated) {
    Case the_case = Case::parse(
        "problem: {type: dg-cvs, equation: burgers, mesh: {cells: [6, 5]}, domain: {x: [0, 1], y: [0, 1]}, " +
            test::periodic + "initial: '1 + 0.2 * sin(2*pi*(x + y))'}\nmethod: {order: 2, final_time: 0.1}\n" +
            "backend: serial\noutput: {fields: {every: 2}}\n",
        "case.yaml", {}, KeyTable::standard());
    DgProblem problem(the_case);
    if (estimated) (void)problem.estimate();
    problem.set_up(test::executor());
    DgSolved solved;
    problem.write(solved);  // of the start
    while (problem.advance().status == Status::running) {
    }
    const std::vector<double> start = solved.values();
    problem.write(solved);
    return std::pair(start, solved.values());
  };
  EXPECT_EQ(values(true), values(false));
}

TEST(DgCvs, SeesEachValueThatIsNotFinite) {
  for (const std::string precision : {"double", "float"}) {
    const Case the_case = moving(precision);
    DgProblem problem(the_case);
    problem.set_up(test::executor());
    (void)problem.advance();
    testing::FakeCheckpoint kept;
    problem.save(kept);
    EXPECT_TRUE(problem.finite());
    const std::size_t size = precision == "double" ? sizeof(double) : sizeof(float);
    for (const char* level : {"cells", "vertices"}) {
      const std::size_t rows = 10;
      const std::size_t stride = kept.arrays[level].size() / size / rows;
      for (const std::size_t place : {std::size_t{0}, std::size_t{29}, 4 * stride + 13, (rows - 1) * stride + 29}) {
        for (const double lost : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
          testing::FakeCheckpoint changed = kept;
          std::byte* const value = changed.arrays[level].data() + place * size;
          const auto narrow = static_cast<float>(lost);
          size == sizeof lost ? std::memcpy(value, &lost, size) : std::memcpy(value, &narrow, size);
          problem.restore(changed);
          EXPECT_FALSE(problem.finite()) << level << " " << precision << " at " << place;
        }
      }
    }
    problem.restore(kept);
    EXPECT_TRUE(problem.finite());
  }
}

}  // namespace
}  // namespace quoin
