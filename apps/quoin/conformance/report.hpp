#pragma once

// The suite's results as lines, JSON and JUnit XML.

#include <string>
#include <vector>

#include "conformance/suite.hpp"

namespace quoin::conformance {

struct Report {
  std::string backend;
  std::string version;
  std::string file;
  std::string device;
  double error_bound = 0.0;
  std::vector<Result> results;
  bool whole = true;  ///< of all checks
  [[nodiscard]] int count(Outcome outcome) const;
};

/// `jacobi_sweeps       double   74 cases  ok`
std::string line(const Result& result);
/// The last line, with the verdict.
std::string verdict(const Report& report);
std::string json(const Report& report);
std::string junit(const Report& report);

}  // namespace quoin::conformance
