#include "output/history.hpp"

#include "output/names.hpp"
#include "output/text.hpp"

namespace quoin {

History::History(ResultFolder& folder, bool wanted) {
  if (!wanted) return;
  file_.emplace(folder.grow(history_name));
  file_->write("iteration,residual\n");
}

void History::add(std::span<const Residual> rows) {
  std::string text;
  for (const Residual& row : rows) {
    hash_.add(std::as_bytes(std::span(&row.value, 1)));
    if (file_) text += shortest(row.iteration) + "," + shortest(row.value) + "\n";
  }
  if (file_) file_->write(text);
}

void History::close() {
  if (file_) file_->close();
}

Timing::Timing(ResultFolder& folder) : file_(folder.grow(timing_name)) { file_.write("iteration,seconds\n"); }

void Timing::add(std::int64_t iterations, double seconds) {
  file_.write(shortest(iterations) + "," + shortest(seconds) + "\n");
}

}  // namespace quoin
