#pragma once

// What `quoin tune` has found, kept between runs.

#include "quoin/backends.hpp"
#include "quoin/case.hpp"

namespace quoin {

/// The options of a backend, in words, but for those that `quoin tune` tries values for.
std::string fixed_options(const Candidate& plugin, const BackendChoice& choice);

/// Finds what was kept for cases of this shape, for the keys that the case leaves open.
Tuned tuned_for(const Case& the_case);

/// Keeps `values`; false where that is impossible.
bool write_tuned(const Case& the_case, const BackendChoice& choice, const Candidate& plugin, const DeviceInfo& device,
                 const OptionMap& values);

}  // namespace quoin
