#pragma once

// The suite: a list of checks, each of one kernel in one precision or of one promise of the interface.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/oracle.hpp"

namespace quoin::conformance {

enum class Outcome { passed, failed, not_offered };

struct Result {
  std::string name;       ///< a kernel, or the promise that was checked
  std::string precision;  ///< double, float, or empty
  int cases = 0;          ///< how many were tried
  Outcome outcome = Outcome::passed;
  std::string message;  ///< of a failure: the case and the first difference
  double seconds = 0.0;
};

/// A promise of Executor, Queue, Memory or Event. Without the kernels that it takes to see, there is no case.
struct InterfaceCheck {
  std::string_view name;
  void (*run)(DeviceUnderTest&, Cases&);
};
std::span<const InterfaceCheck> queue_checks();
std::span<const InterfaceCheck> executor_checks();
/// What such checks copy: shifted by any number of bytes it is something else.
std::vector<std::byte> uneven_bytes(std::size_t count);

/// Hears of the suite's course.
class Course {
 public:
  virtual ~Course() = default;
  /// The name and the precision of the check that comes next, counted from 0.
  virtual void begins(std::size_t number, const Result& check) = 0;
  virtual void begins_case(const std::string& name) = 0;
  virtual void ended(const Result& result) = 0;
};

/// What the checks are called, those of the kernels that problems from outside have among them.
std::vector<std::string> check_names(const std::vector<KernelSet>& outside);

/// Which of the checks run: those from a number on, and of these names alone where there are any.
struct Selection {
  std::size_t first = 0;
  std::vector<std::string> names{};
};

/// Runs the checks, also of the kernels that problems from outside have. Never throws for what the backend does wrong.
void run_suite(const std::shared_ptr<Executor>& executor, Course& course, const Selection& selection = {},
               std::vector<KernelSet> outside = {});

}  // namespace quoin::conformance
