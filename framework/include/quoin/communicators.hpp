#pragma once

// Finding and opening what connects the ranks of a run.

#include <filesystem>
#include <memory>
#include <vector>

#include "quoin/backends.hpp"
#include "quoin/communicator.hpp"

namespace quoin {

/// Whether a launcher such as mpirun or srun has started this process as one of several, by its environment.
[[nodiscard]] bool started_by_launcher();

/// Those among the plugins of the folders, judged like find_plugins() judges backends.
[[nodiscard]] std::vector<Candidate> find_communicators(const std::vector<std::filesystem::path>& folders);

/// Opens the communicator plugin of the folders and joins the ranks that the launcher has started. Throws
/// ErrorKind::plugin with what to install where there is none. Open no backend before: some MPIs take device memory for
/// their own if it was there first.
[[nodiscard]] std::unique_ptr<Communicator> open_communicator(const std::vector<std::filesystem::path>& folders,
                                                              LibraryOpener& opener = system_opener());

}  // namespace quoin
