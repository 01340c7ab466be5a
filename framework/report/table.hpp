#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace quoin {

struct Sample {
  double x = 0.0;
  double y = 0.0;
};

/// A curve of at most a thousand or two points, however many are added: of each stretch of x the least and the
/// greatest y stay, so that what oscillates shows how far it does. Values that are not finite are only counted.
class Curve {
 public:
  void add(double x, double y);
  [[nodiscard]] std::vector<Sample> samples() const;
  [[nodiscard]] std::int64_t not_finite() const { return not_finite_; }

 private:
  struct Stretch {
    Sample least;
    Sample greatest;
  };
  void merge_pairs();

  std::vector<Stretch> stretches_;
  std::int64_t rows_of_stretch_ = 1;
  std::int64_t rows_of_last_ = 0;
  std::int64_t not_finite_ = 0;
};

/// The rows of a CSV file of numbers, one after another.
class CsvRows {
 public:
  explicit CsvRows(const std::filesystem::path& file);
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }  ///< none: there is no such file
  [[nodiscard]] std::optional<std::size_t> column(const std::string& name) const;
  /// False at the end; a last line without its end is torn and not counted.
  bool next(std::vector<double>& row);
  [[nodiscard]] std::int64_t unreadable() const { return unreadable_; }  ///< rows so far that are no numbers

 private:
  std::ifstream stream_;
  std::vector<std::string> columns_;
  std::int64_t unreadable_ = 0;
};

/// A CSV file of numbers as curves over one column: `time` where there is one, else the first.
struct CsvCurves {
  std::vector<std::string> columns;
  std::size_t along = 0;      ///< the column of x
  std::vector<Curve> curves;  ///< of the columns behind that
  std::vector<double> first;  ///< the rows at the ends, in full
  std::vector<double> last;
  std::int64_t rows = 0;
  std::int64_t unreadable = 0;
};

/// Empty where there is no such file. Memory does not grow with its length.
std::optional<CsvCurves> read_curves(const std::filesystem::path& file);

}  // namespace quoin
