// The framework's own keys, and the table of all keys.

#include <algorithm>
#include <utility>

#include "quoin/case.hpp"
#include "quoin/problem.hpp"

namespace quoin {

KeyTable::KeyTable(const std::vector<ProblemType>& problems) {
  keys_.push_back({.path = "define.*",
                   .type = KeyType::expression,
                   .meaning = "A formula that every other can call by this name; it may use others, in any order.",
                   .name_type = NameType::variable});
  Key type{.path = "problem.type", .type = KeyType::choice, .required = true, .meaning = "What is solved:"};
  for (const ProblemType& problem : problems) {
    type.choices.push_back(problem.name);
    type.hints.insert(type.hints.end(), problem.hints.begin(), problem.hints.end());
    type.meaning += " " + problem.name + " (" + problem.meaning + ")";
    type.meaning += &problem == &problems.back() ? "." : ",";
  }
  keys_.push_back(std::move(type));
  keys_.push_back({.path = "problem.initial.from",
                   .type = KeyType::text,
                   .meaning =
                       "Result folder of another run, relative to the working directory, from whose newest "
                       "checkpoint this run takes its fields at the start, in place of a formula. Both runs have "
                       "the same grid or mesh and the same order; precisions may differ."});
  for (const ProblemType& problem : problems) {
    for (Key key : problem.keys) {
      key.problem = problem.name;
      keys_.push_back(std::move(key));
    }
  }
  const std::vector<Key> rest{
      {.path = "title",
       .type = KeyType::text,
       .meaning = "What the case is, in a line: shown on the report's page and in summary.json."},
      {.path = "backend.name",
       .type = KeyType::text,
       .fallback = "serial",
       .meaning = "Plugin that runs the case. Also written `backend: NAME` or `backend: NAME:DEVICE`; "
                  "a list of these is tried in order."},
      {.path = "backend.device",
       .type = KeyType::text,
       .fallback = "0",
       .meaning = "Index of one of the backend's devices, as `quoin list` shows them, or a part of its name; 0 is the "
                  "one that the backend prefers."},
      {.path = "backend.memory",
       .type = KeyType::choice,
       .fallback = "device",
       .meaning =
           "Memory that the arrays of the run are in: the device's own (device), pages of the host that the driver has "
           "pinned (pinned), pages that it uses where they are (zero_copy), or memory that host and device share: "
           "coherent when a queue is waited for (shared_coarse), at any time (shared_fine), or with atomics of both as "
           "well (shared_atomic). `quoin list` shows what a device has; the bits are the same in all.",
       .choices = {memory_kind_names.begin(), memory_kind_names.end()}},
      {.path = "output.directory",
       .type = KeyType::text,
       .fallback = "results/case",
       .meaning = "Folder of everything that the run leaves behind, relative to the working directory."},
      {.path = "output.fields.write",
       .type = KeyType::boolean,
       .fallback = "true",
       .meaning = "Write the final fields, to look at with ParaView.",
       .shorthand = true},
      {.path = "output.fields.pieces",
       .type = KeyType::boolean,
       .fallback = "false",
       .meaning =
           "Each of several ranks writes what it has of grids and meshes into files of its own, which a .pvti or "
           ".pvtu names; else the first rank writes all into one."},
      {.path = "output.history",
       .type = KeyType::boolean,
       .fallback = "true",
       .meaning = "Write the residual of every iteration, or what is told of every time step, to history.csv."},
      {.path = "run.overlap",
       .type = KeyType::choice,
       .fallback = "auto",
       .meaning = "On several ranks, with flows and with Jacobi iterations other than multigrid: what other parts need "
                  "travels beside kernels that do not. Of flows also what sides that change are to be, which is "
                  "evaluated while kernels run. auto does on devices that are not the host's processors.",
       .choices = {"auto", "on", "off"}},
      {.path = "run.progress",
       .type = KeyType::choice,
       .fallback = "auto",
       .meaning = "Progress as a bar, as plain lines, or not at all; auto takes the bar on a terminal.",
       .choices = {"auto", "bar", "lines", "none"}},
      {.path = "run.trace",
       .type = KeyType::boolean,
       .fallback = "false",
       .meaning = "Write the timeline of launches and copies to trace.json, for Perfetto or chrome://tracing."},
      {.path = "run.watchdog",
       .type = KeyType::duration,
       .fallback = "300",
       .meaning = "End the run when the device has not answered for so long; 0 waits for ever.",
       .unit = "s",
       .minimum = 0},
      {.path = "run.checkpoint.every",
       .type = KeyType::text,
       .meaning =
           "When to write a checkpoint: after so many iterations or steps, as 200, or after so much time in s, min, h "
           "or days, as 10 min. Without it there is one only where the run ends."},
      {.path = "run.checkpoint.end",
       .type = KeyType::boolean,
       .fallback = "true",
       .meaning =
           "Write a checkpoint at the end of the run, from which 'quoin resume' goes farther and other runs start. "
           "Where a signal ends it there is always one."},
      {.path = "run.checkpoint.keep",
       .type = KeyType::integer,
       .fallback = "2",
       .meaning = "How many checkpoints are kept.",
       .minimum = 1,
       .maximum = 1000000},
      {.path = "run.grace",
       .type = KeyType::duration,
       .fallback = "5",
       .meaning =
           "After SIGTERM a checkpoint is written if that takes no longer than this. After a second signal a run "
           "that waits for the device ends once this is over.",
       .unit = "s",
       .minimum = 0},
      {.path = "run.threads",
       .type = KeyType::integer,
       .fallback = "0",
       .meaning = "Threads of backends that compute on the host's cores, and at most so many of set-up, errors and "
                  "files; 0 takes every core, and backends as many as OMP_NUM_THREADS says.",
       .minimum = 0,
       .maximum = 4096},
  };
  keys_.insert(keys_.end(), rest.begin(), rest.end());
}

KeyTable KeyTable::standard() { return KeyTable(problem_types()); }

void KeyTable::add_hint(std::string_view path, Hint hint) {
  const auto key = std::ranges::find(keys_, path, &Key::path);
  if (key != keys_.end()) key->hints.insert(key->hints.begin(), std::move(hint));
}

void KeyTable::add_backend(const std::string& backend, std::vector<Key> keys) {
  backends_.push_back(backend);
  for (Key& key : keys) {
    key.path = "backend." + key.path;
    key.backend = backend;
    keys_.push_back(std::move(key));
  }
}

}  // namespace quoin
