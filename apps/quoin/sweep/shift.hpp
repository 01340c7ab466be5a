#pragma once

// Running the members of a sweep.

#include "sweep/sweep.hpp"

namespace quoin {

/// What a member takes of the machine.
struct Needs {
  std::string device;  // but for the CPU
  unsigned threads = 1;
  double memory = 0.0;  // of the host, in bytes
};

struct Job {
  std::size_t member;
  Needs needs;
  std::vector<std::string> command;
};

/// The members that are left to run, all of them checked. The rows of the others tell how they have ended.
std::vector<Job> jobs_of(const Sweep& sweep, Json& rows);

/// Runs the jobs, some at a time, and keeps in the study how each has ended. Returns the signal that came, or 0.
int run_jobs(const Sweep& sweep, const std::vector<Job>& jobs, Json& study, StudyFolder& folder);

}  // namespace quoin
