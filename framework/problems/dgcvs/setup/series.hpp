#pragma once

#include <filesystem>
#include <vector>

namespace quoin {

/// A quantity over time, linear between the times of a CSV file of two columns, time and value.
class TimeSeries {
 public:
  /// Throws ErrorKind::io, or ErrorKind::case_file with line and column where times do not rise, or do not go from 0 to
  /// `final_time` at least.
  TimeSeries(const std::filesystem::path& path, double final_time);

  [[nodiscard]] double at(double time) const;

 private:
  std::vector<double> times_, values_;
};

}  // namespace quoin
