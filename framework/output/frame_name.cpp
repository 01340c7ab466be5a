#include <fmt/format.h>

#include "quoin/fields.hpp"

namespace quoin {

std::string frame_name(const std::string& name, std::int64_t step) { return fmt::format("{}-{:06}", name, step); }

}  // namespace quoin
