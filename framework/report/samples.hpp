#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "report/table.hpp"

namespace quoin {

/// What a run wrote of its values at points, as curves to be compared: one a probe, or one a moment along a line.
struct Samples {
  struct Quantity {
    std::string name;
    std::vector<std::pair<std::string, Curve>> curves;  ///< with what tells them apart
  };
  std::string along;  ///< what the curves run over
  std::vector<Quantity> quantities;
  std::size_t left_out = 0;  ///< probes or moments that are not among them
};

/// The first probes of probes.csv.
Samples probes_in(const std::filesystem::path& folder);

/// The files of a line, NAME-STEP.csv, by step.
struct LineFiles {
  std::string name;
  std::vector<std::filesystem::path> files;
};
std::vector<LineFiles> lines_in(const std::filesystem::path& folder);
/// Profiles at some moments, the first and the last among them.
Samples profiles_of(const LineFiles& line);

/// `count` of `all` numbers from 0 on at equal distances, both ends among them; all where they are fewer.
std::vector<std::size_t> spread_over(std::size_t all, std::size_t count);

}  // namespace quoin
