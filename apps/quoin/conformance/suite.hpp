#pragma once

// The suite: a list of checks, each of one kernel in one precision or of one promise of the interface.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/harness.hpp"

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

/// Counts the cases of one check and names the one that fails.
class Cases {
 public:
  using Begins = std::function<void(const std::string& name)>;
  explicit Cases(Begins begins) : begins_(std::move(begins)) {}
  template <class Body>
  void operator()(const std::string& name, Body&& body) {
    ++count_;
    current_ = name;
    begins_(name);
    body();
    current_.clear();
  }
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] const std::string& current() const { return current_; }

 private:
  Begins begins_;
  int count_ = 0;
  std::string current_;
};

/// The cases of one catalogue kernel in each precision.
struct KernelCheck {
  std::string_view kernel;
  void (*in_double)(DeviceUnderTest&, Cases&);
  void (*in_float)(DeviceUnderTest&, Cases&);
};
std::span<const KernelCheck> jacobi_checks();
std::span<const KernelCheck> transfer_checks();
std::span<const KernelCheck> norm_checks();
std::span<const KernelCheck> line_checks();
std::span<const KernelCheck> dgcvs_checks();
std::span<const KernelCheck> limiter_checks();

/// The cases that a kernel's declaration makes; false where it takes more than that tells.
bool check_declared(DeviceUnderTest& bench, Cases& cases, const CatalogueEntry& entry, Precision precision);

/// A promise of Executor, Queue, Memory or Event. Without the kernels that it takes to see, there is no case.
struct InterfaceCheck {
  std::string_view name;
  void (*run)(DeviceUnderTest&, Cases&);
};
std::span<const InterfaceCheck> queue_checks();
std::span<const InterfaceCheck> executor_checks();

/// Hears of the suite's course.
class Course {
 public:
  virtual ~Course() = default;
  /// The name and the precision of the check that comes next, counted from 0.
  virtual void begins(std::size_t number, const Result& check) = 0;
  virtual void begins_case(const std::string& name) = 0;
  virtual void ended(const Result& result) = 0;
};

/// Runs the checks from that number on. Never throws for what the backend does wrong.
void run_suite(const std::shared_ptr<Executor>& executor, Course& course, std::size_t first = 0);

/// A grid, the box of it that a launch covers, and how it is stored.
struct GridCase {
  std::string name;
  std::int64_t nx, ny;
  Box box;
  Style style;
};
/// From a single node to several blocks, with boxes inside larger fields.
const std::vector<GridCase>& grid_cases();
const GridCase& grid_case(std::string_view name);
/// Boxes without a node; a launch over one changes nothing.
std::vector<Box> empty_boxes();

}  // namespace quoin::conformance
