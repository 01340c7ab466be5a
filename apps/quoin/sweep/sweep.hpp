#pragma once

// A sweep: the members that a command line asks for, and what becomes of each.

#include <filesystem>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "runs.hpp"
#include "sweep/variation.hpp"

namespace quoin {

inline constexpr const char* sweep_table = "sweep.json";

struct SweepArguments {
  CaseArguments of_case;
  std::vector<std::string> vary;
  bool zip = false;
  int jobs = 0;     // 0: as many as suits
  int member = -1;  // all
  bool list = false;
  bool slurm = false;
  bool resume = false;
  bool force = false;
  bool json = false;
};

struct SweepMember {
  std::vector<Override> changes;
  std::filesystem::path folder;
  Case the_case;
};

struct Sweep {
  const Context& context;
  const SweepArguments& arguments;
  std::vector<Candidate> plugins;
  KeyTable table;
  std::vector<Variation> variations;
  std::filesystem::path folder;
  std::vector<SweepMember> members;
};

/// The cases of all members, each read as its run will read it.
Sweep sweep_of(const Context& context, const SweepArguments& arguments);

/// What sweep.json holds before anything has run.
Json study_of(const Sweep& sweep);

/// `method.order=2 problem.mesh.cells=[20,20]`
std::string text_of(const std::vector<Override>& changes);

/// What a member's folder holds must be a run of the member. ErrorKind::usage.
void require_same_case(const Sweep& sweep, const SweepMember& member);
/// What the folder holds must be this sweep, as far as it is one. ErrorKind::usage.
void require_same_sweep(const Sweep& sweep, const Json& study);

/// The command that takes the member to its end; empty where it is there.
std::vector<std::string> command_of(const Sweep& sweep, const SweepMember& member);

/// Says of which member an error is; the values alone need not tell.
template <class Act>
auto for_member(const std::vector<Override>& changes, const Act& act) {
  try {
    return act();
  } catch (const Error&) {
    std::cerr << "quoin: in the member " << text_of(changes) << ":\n";
    throw;
  }
}

}  // namespace quoin
