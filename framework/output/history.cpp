#include "output/history.hpp"

#include <cstring>

#include "output/csv.hpp"
#include "output/names.hpp"
#include "output/text.hpp"
#include "quoin/error.hpp"

namespace quoin {

History::History(ResultFolder& folder, bool wanted, const std::vector<std::string>& columns) : width_(columns.size()) {
  folder.remove(history_name);  // of a run that goes on without it
  if (!wanted) return;
  file_.emplace(folder.grow(history_name));
  file_->write(csv_head(columns));
}

void History::add(std::span<const Row> rows) {
  std::vector<double> values;
  for (const Row& row : rows) {
    for (const Number& number : row) {
      numbers_.push_back(number);
      if (const auto* value = std::get_if<double>(&number)) values.push_back(*value);
    }
  }
  hash_.add(std::as_bytes(std::span(values)));
  if (file_) file_->write(csv_lines(rows, width_));
}

// A number is a byte that says its kind and eight that are its value, little-endian as on every machine Quoin runs on.
constexpr std::size_t packed_bytes = 9;

std::string History::packed() const {
  std::string text;
  text.reserve(packed_bytes * numbers_.size());
  for (const Number& number : numbers_) {
    text += static_cast<char>(number.index());
    std::visit([&](auto value) { text.append(reinterpret_cast<const char*>(&value), sizeof value); }, number);
  }
  return text;
}

bool History::is_packed(std::string_view rows) {
  for (std::size_t at = 0; at < rows.size(); at += packed_bytes)
    if (at + packed_bytes > rows.size() || static_cast<unsigned char>(rows[at]) >= std::variant_size_v<Number>)
      return false;
  return true;
}

void History::add_packed(std::string_view rows) {
  const std::size_t bytes = packed_bytes * width_;
  if (rows.size() % bytes != 0) throw Error(ErrorKind::checkpoint, "the checkpoint's history has torn rows");
  for (; !rows.empty(); rows.remove_prefix(bytes)) {
    Row row;
    for (std::size_t k = 0; k < width_; ++k) {
      const char* const at = rows.data() + k * packed_bytes;
      std::int64_t integer = 0;
      double real = 0.0;
      std::memcpy(&integer, at + 1, sizeof integer);
      std::memcpy(&real, at + 1, sizeof real);
      row.push_back(*at == 0 ? Number(integer) : Number(real));
    }
    add({&row, 1});
  }
}

void History::close() {
  if (file_) file_->close();
}

Timing::Timing(ResultFolder& folder) : file_(folder.grow(timing_name)) { file_.write("iteration,seconds\n"); }

void Timing::add(std::int64_t iterations, double seconds) {
  file_.write(shortest(iterations) + "," + shortest(seconds) + "\n");
}

}  // namespace quoin
