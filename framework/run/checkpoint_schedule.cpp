#include "run/checkpoint_schedule.hpp"

#include <string>

#include "case/scalar.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

constexpr const char* every_key = "run.checkpoint.every";

}  // namespace

CheckpointSchedule::CheckpointSchedule(const Case& the_case)
    : keep_(static_cast<std::size_t>(the_case.integer("run.checkpoint.keep"))),
      at_end_(the_case.boolean("run.checkpoint.end")) {
  if (!the_case.has(every_key)) return;
  const std::string& text = the_case.text(every_key);
  const bool counted = read_integer(text, iterations_).empty();
  const bool timed =
      !counted && text.find_first_of("smhd") != std::string::npos && read_duration(text, seconds_).empty();
  if ((!counted || iterations_ <= 0) && (!timed || seconds_ <= 0.0))
    throw the_case.error_at(
        every_key, "must be a number of iterations or steps, as 200, or a time in s, min, h or days, as 10 min");
}

bool CheckpointSchedule::due(std::int64_t iterations, double now) {
  if (iterations_ > 0) return iterations % iterations_ == 0;
  if (seconds_ == 0.0 || now - last_ < seconds_) return false;
  last_ = now;
  return true;
}

}  // namespace quoin
