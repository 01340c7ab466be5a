#include "output/history.hpp"

#include "output/csv.hpp"
#include "output/names.hpp"
#include "output/text.hpp"

namespace quoin {

History::History(ResultFolder& folder, bool wanted, const std::vector<std::string>& columns) : width_(columns.size()) {
  if (!wanted) return;
  file_.emplace(folder.grow(history_name));
  file_->write(csv_head(columns));
}

void History::add(std::span<const Row> rows) {
  for (const Row& row : rows) {
    for (const Number& number : row) {
      if (const auto* value = std::get_if<double>(&number)) hash_.add(std::as_bytes(std::span(value, 1)));
    }
  }
  if (file_) file_->write(csv_lines(rows, width_));
}

void History::close() {
  if (file_) file_->close();
}

Timing::Timing(ResultFolder& folder) : file_(folder.grow(timing_name)) { file_.write("iteration,seconds\n"); }

void Timing::add(std::int64_t iterations, double seconds) {
  file_.write(shortest(iterations) + "," + shortest(seconds) + "\n");
}

}  // namespace quoin
