#include "run/checkpoint_schedule.hpp"

#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include "quoin/error.hpp"

namespace quoin {
namespace {

constexpr const char* key = "run.checkpoint.every";

/// Seconds of a unit; 0 for a text that is none.
double seconds_of(std::string_view unit) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  constexpr std::array units{Unit{"s", 1.0}, Unit{"min", 60.0}, Unit{"h", 3600.0}};
  for (const Unit& known : units)
    if (unit == known.name) return known.seconds;
  return 0.0;
}

}  // namespace

CheckpointSchedule::CheckpointSchedule(const Case& the_case)
    : keep_(static_cast<std::size_t>(the_case.integer("run.checkpoint.keep"))) {
  if (!the_case.has(key)) return;
  const std::string& text = the_case.text(key);
  const char* const end = text.data() + text.size();
  std::int64_t number = 0;
  const auto [rest, code] = std::from_chars(text.data(), end, number);
  std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  const bool counted = code == std::errc() && number > 0;
  if (counted && rest == end) {
    iterations_ = number;
  } else if (counted && seconds_of(unit) > 0.0) {
    seconds_ = static_cast<double>(number) * seconds_of(unit);
  } else {
    throw the_case.error_at(key,
                            "must be a number of iterations or steps, as 200, or a time in s, min or h, as 10 min");
  }
}

bool CheckpointSchedule::due(std::int64_t iterations, double now) {
  if (iterations_ > 0) return iterations % iterations_ == 0;
  if (seconds_ == 0.0 || now - last_ < seconds_) return false;
  last_ = now;
  return true;
}

}  // namespace quoin
