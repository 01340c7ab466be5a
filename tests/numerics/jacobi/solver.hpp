#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "numerics/device.hpp"
#include "problems/jacobi/problem.hpp"

namespace quoin::test {

/// Keeps a copy of the field inside.
class KeptField final : public FieldSink {
 public:
  void grid(const GridField& given) override {
    raw.clear();
    nx = given.nx - 2 * given.ring;
    precision = given.precision;
    const std::size_t size = element_size(precision);
    std::int64_t j = 0;
    given.each_row([&](std::span<const std::byte> row) {
      const auto inside = row.subspan(static_cast<std::size_t>(given.ring) * size, static_cast<std::size_t>(nx) * size);
      if (j >= given.ring && j < given.ny - given.ring) raw.insert(raw.end(), inside.begin(), inside.end());
      ++j;
    });
  }
  void vector(const VectorValues& /*vector*/) override {}
  void elements(const ElementFields& /*frame*/) override {}
  void series(const Table& /*more*/) override {}
  void table(const Table& /*table*/) override {}
  /// Value k in file order.
  [[nodiscard]] double at(std::size_t k) const {
    if (precision == Precision::float32) return static_cast<double>(element<float>(k));
    return element<double>(k);
  }
  [[nodiscard]] std::size_t size() const { return raw.size() / element_size(precision); }
  std::vector<std::byte> raw;
  std::int64_t nx = 0;
  Precision precision = Precision::float64;

 private:
  template <class T>
  [[nodiscard]] T element(std::size_t k) const {
    T value{};
    std::memcpy(&value, raw.data() + k * sizeof value, sizeof value);
    return value;
  }
};

struct Solved {
  Progress last;
  std::vector<double> norms;  ///< one a row of the history
  KeptField u;
  std::optional<Errors> errors;
};

/// Runs a problem that is set up to its end.
inline Solved finish(Problem& problem) {
  Solved solved;
  do {
    solved.last = problem.advance();
    for (const Row& row : solved.last.history) solved.norms.push_back(std::get<double>(row[1]));
  } while (solved.last.status == Status::running);
  problem.write(solved.u);
  solved.errors = problem.errors();
  return solved;
}

inline Solved solve(const Case& the_case, std::int64_t longest_chunk = 256) {
  JacobiProblem problem(the_case, longest_chunk);
  problem.set_up(executor());
  return finish(problem);
}

/// A case from the insides of its `problem` and `method` sections.
inline Case jacobi_case(const std::string& problem, const std::string& method, const std::string& run = {}) {
  return Case::parse("problem: {type: jacobi, " + problem + "}\nmethod: {" + method + "}\nrun: {" + run + "}\n",
                     "case.yaml", {}, KeyTable::standard());
}

}  // namespace quoin::test
