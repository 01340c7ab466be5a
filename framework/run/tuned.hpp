#pragma once

// What `quoin tune` has found, kept between runs.

#include "quoin/backends.hpp"
#include "quoin/case.hpp"

namespace quoin {

/// Whether `quoin tune` tries values for a key of that name.
bool is_tunable(const Candidate& plugin, const std::string& name);

/// Finds what was kept for cases of this shape, for the keys that the case leaves open.
Tuned tuned_for(const Case& the_case);

/// Keeps `values`; false where that is impossible.
bool write_tuned(const Case& the_case, const BackendChoice& choice, const Candidate& plugin, const DeviceInfo& device,
                 const OptionMap& values);

}  // namespace quoin
