#pragma once

// The suite in a process of its own: what crashes, hangs or ends there costs the check that it happens in.

#include <functional>
#include <string>
#include <vector>

#include "conformance/report.hpp"
#include "quoin/backends.hpp"

namespace quoin::conformance {

struct Subject {
  Candidate candidate;
  std::string device;  ///< its number or a part of its name
  OptionMap options;
  double seconds = 0.0;               ///< that a case may take; 0: any time
  std::vector<std::string> checks{};  ///< that alone are run; none: all
};

/// Runs the checks; `hear` gets each result as it comes. Throws where the backend has no such device, or none that can
/// be used.
Report run_apart(const Subject& subject, const std::function<void(const Result&)>& hear);

}  // namespace quoin::conformance
