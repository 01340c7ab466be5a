#include "bench/memory_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "bench/figures.hpp"
#include "quoin/executor.hpp"

namespace quoin::bench::memory {
namespace {

/// A line of the microbenchmark, and what X. Hu's thesis (University of Mississippi, 2017) has beside it: microseconds
/// in ordinary buffers, and in shared memory of fine grain without and with atomics; 0 where it has none.
struct Line {
  const char* row;
  const char* name;
  std::array<int, 3> in_the_thesis;
};
constexpr Line lines[] = {{"no_op", "no op", {3, 3, 2}},
                          {"add", "add", {11, 15, 22}},
                          {"atomic_add", "atomic add", {14, 0, 180}},
                          {"shared_add", "atomic add, seen by the host", {}},
                          {"hot_atomic_add", "all to one, atomic", {}},
                          {"hot_shared_add", "all to one, seen by the host", {}},
                          {"look", "a launch, a look at 4 bytes", {}},
                          {"host_writes", "written by the host", {}},
                          {"copy", "copied by a kernel", {}},
                          {"sum", "summed by a kernel", {}}};

/// X where there is no figure.
std::string cell(const Json& value) { return value.is_null() ? "X" : number(value, 1); }

template <class Cell>
std::string line_of(const std::string& name, const Cell& of_kind) {
  std::string text = fmt::format("{:<29}", name);
  for (const std::string_view kind : memory_kind_names) text += fmt::format(" {:>13}", of_kind(std::string(kind)));
  return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

std::string thesis_line(const std::array<int, 3>& figures) {
  return line_of("  in the thesis", [&](const std::string& kind) -> std::string {
    constexpr std::array<MemoryKind, 3> kinds{MemoryKind::device, MemoryKind::shared_fine, MemoryKind::shared_atomic};
    for (std::size_t k = 0; k < kinds.size(); ++k)
      if (kind == name_of(kinds[k])) return figures[k] == 0 ? "X" : std::to_string(figures[k]);
    return "";
  });
}

std::string together_line(const Json& together) {
  return line_of("adds of the host meanwhile", [&](const std::string& kind) -> std::string {
    return together.is_null() || kind != name_of(MemoryKind::shared_atomic) ? "X" : together["between"].dump();
  });
}

std::string block(const Json& found, std::size_t number_of_backend) {
  std::string text = fmt::format("[{}] {}", number_of_backend, found["requested"].get<std::string>());
  if (found.contains("device")) text += ": " + found["device"].get<std::string>();
  text += "\n";
  if (!found.contains("rows")) return text + found.value("error", "not run") + "\n\n";
  text += line_of("", [](const std::string& kind) { return kind; });
  for (const Line& line : lines) {
    text += line_of(line.name, [&](const std::string& kind) {
      return cell(found["rows"].value(kind, Json::object()).value(line.row, Json::object()).value("median", Json()));
    });
    if (line.in_the_thesis[0] != 0) text += thesis_line(line.in_the_thesis);
  }
  if (found.contains("together")) text += together_line(found["together"]);
  return text + (found.contains("error") ? found["error"].get<std::string>() + "\n\n" : "\n");
}

Json milliseconds(const Json& row, const char* seconds) {
  std::vector<double> values;
  for (const Json& run : row["repeats"]) values.push_back(1e3 * run[seconds].get<double>());
  return spread(std::move(values));
}

/// What a row is by itself.
void describe(Json& row, const Json& /*of_case*/, const Json& /*devices*/) {
  row["loop_ms"] = milliseconds(row, "loop_seconds");
  row["kernels_ms"] = milliseconds(row, "seconds");
}

/// What the row is next to that of the same backend in the device's own memory, and to the first of all.
void relate(Json& row, const Json& rows) {
  const Json* own = first_row(rows, [&](const Json& other) {
    return other["requested"] == row["requested"] && other["memory"] == name_of(MemoryKind::device);
  });
  row["time_ratio"] = own == nullptr
                          ? Json()
                          : Json(row["loop_ms"]["median"].get<double>() / (*own)["loop_ms"]["median"].get<double>());
  row["same_bits"] = has_bits_of_first(row, rows);
}

std::string case_line(const Json& row, std::ptrdiff_t backend) {
  std::string text = start_of_line(row, backend, "memory", 13);
  if (!has_figures(row)) return text;
  const Json& time = row["loop_ms"];
  return text + fmt::format("{:>10} {:>10} {:>10} {:>10} {:>7}  {}\n", number(time["median"], 2),
                            number(time["min"], 2), number(time["max"], 2), number(row["kernels_ms"]["median"], 2),
                            number(row["time_ratio"], 2), row["same_bits"].get<bool>() ? "equal" : "differ");
}

}  // namespace

void evaluate(Json& study) { evaluate_rows(study, describe, relate); }

std::string table(const Json& study) {
  std::string text = fmt::format(
      "Microseconds, medians of {} runs of everything in turn: launches over 6144 integers in groups of 64, by the\n"
      "device's clock; a launch and the host's look at 4 bytes of what it did, by the host's; of {} runs, {} MiB that\n"
      "the host writes, by its clock, and kernels copy and sum, by the device's. X: the device lacks it. Last, host "
      "and\n"
      "kernel add to one number at the same time, nothing is lost, and so many adds of the host came between those of\n"
      "the kernel. The thesis' figures are those of its own device.\n\n",
      study["runs"].dump(), study["large_runs"].dump(), study["mebibytes"].dump());
  std::size_t k = 0;
  for (const Json& found : study["microbenchmarks"]) text += block(found, ++k);
  text += fmt::format(
      "Cases with their arrays in each kind of memory: milliseconds of the loop by the clock, with the shortest and "
      "the\n"
      "longest of {} runs, and of its kernels by the device; 'ratio' is the loop's time over that in the device's own\n"
      "memory, and 'bits' are those of fields, next to the first row.\n\n",
      study["repeats"].dump());
  std::size_t width = 4;
  const auto title = [](const Json& of_case) { return of_case["case"].get<std::string>(); };
  for (const Json& of_case : study["cases"]) width = std::max(width, title(of_case).size());
  text += fmt::format("{:<{}} {:>4} {:<13} {:<9} {:>10} {:>10} {:>10} {:>10} {:>7}  {}\n", "case", width, "", "memory",
                      "precision", "loop", "min", "max", "kernels", "ratio", "bits");
  return text + lines_of_rows(study, width, title, case_line);
}

}  // namespace quoin::bench::memory
