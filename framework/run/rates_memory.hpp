#pragma once

// What the measurement of a device's rates after a run needs: see stream_rates() in quoin/run.hpp.

#include <filesystem>
#include <string>

#include "quoin/backends.hpp"
#include "quoin/case.hpp"

namespace quoin {

/// The options by which the rates of a case's device are kept.
std::string rates_options(const Case& the_case, const Candidate& plugin);

/// Bytes of the device that stream_rates() will use; 0 where the rates are known.
double rates_memory(const DeviceInfo& device, const std::filesystem::path& plugin, const std::string& options);

}  // namespace quoin
