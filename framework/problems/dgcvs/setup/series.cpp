#include "problems/dgcvs/setup/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "problems/dgcvs/setup/words.hpp"

namespace quoin {

TimeSeries::TimeSeries(const std::filesystem::path& path, double final_time) {
  Words words(path, ",;");
  std::optional<Words::Word> word = words.next();
  while (word && word->line == 1 && std::isalpha(static_cast<unsigned char>(word->text.front())) != 0)
    word = words.next();  // names of the columns
  for (; word; word = words.next()) {
    const double time = words.number_of(*word, "a time");
    if (!times_.empty() && time <= times_.back())
      words.refuse(word,
                   fmt::format("the time {} does not lie behind {}, that of the line before", time, times_.back()));
    if (times_.empty() && time > 0.0)
      words.refuse(word, fmt::format("the series starts at {}; a run starts at time 0: give a line for it", time));
    const std::optional<Words::Word> value = words.next();
    if (!value || value->line != word->line)
      words.refuse(word, "a line has a time and a value, as 3600, 1.25; this one has no value");
    times_.push_back(time);
    values_.push_back(words.number_of(*value, "a value"));
  }
  if (times_.empty()) words.refuse(word, "the file has no line with a time and a value, as 3600, 1.25");
  if (times_.back() < final_time)
    words.refuse(word,
                 fmt::format("the series ends at {}, before method.final_time, which is {}: give a line for it, or "
                             "end the run before",
                             times_.back(), final_time));
}

double TimeSeries::at(double time) const {
  const auto next = std::ranges::upper_bound(times_, time);
  if (next == times_.begin()) return values_.front();
  if (next == times_.end()) return values_.back();
  const auto k = static_cast<std::size_t>(next - times_.begin());
  const double share = (time - times_[k - 1]) / (times_[k] - times_[k - 1]);
  return values_[k - 1] + share * (values_[k] - values_[k - 1]);
}

}  // namespace quoin
