#pragma once

// A table of keys and cases for the tests of case files.

#include <string>
#include <vector>

#include "problems/jacobi/setup/keys.hpp"
#include "quoin/case.hpp"
#include "quoin/error.hpp"
#include "quoin/problem.hpp"

namespace quoin::testing {

/// Jacobi, another problem with a key of its own, the backends `serial` and `tuned` with keys of its own.
inline KeyTable case_table() {
  const std::vector<ProblemType> problems{
      {"jacobi", "Poisson's equation", jacobi_keys()},
      {"wave", "another problem", {{.path = "problem.speed", .type = KeyType::real, .required = true}}}};
  KeyTable table(problems);
  table.add_backend("serial", {});
  table.add_backend(
      "tuned",
      {{.path = "block", .type = KeyType::integer, .fallback = "256", .meaning = "Block size.", .minimum = 32.0},
       {.path = "mode", .type = KeyType::choice, .fallback = "fast", .choices = {"fast", "safe"}}});
  return table;
}

inline const std::string smallest_case = "problem: {type: jacobi, grid: {nodes: [8, 6]}}\n";

inline Case parse_case(const std::string& text, const std::vector<Override>& overrides = {}) {
  return Case::parse(text, "case.yaml", overrides, case_table());
}

/// What a user reads of a case with mistakes; empty where it has none.
inline std::string mistakes(const std::string& text, const std::vector<Override>& overrides = {}) {
  try {
    parse_case(text, overrides);
  } catch (const Error& error) {
    return error.kind() == ErrorKind::case_file ? error.what() : "another kind of error: " + std::string(error.what());
  }
  return "";
}

/// How many mistakes a report holds.
inline std::size_t count_mistakes(const std::string& report) {
  std::size_t count = 0;
  for (std::size_t at = report.find(": error: "); at != std::string::npos; at = report.find(": error: ", at + 1))
    ++count;
  return count;
}

}  // namespace quoin::testing
