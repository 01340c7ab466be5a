#include "output/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace quoin {
namespace {

using Json = nlohmann::ordered_json;

double bandwidth(const KernelRow& row) { return row.seconds > 0.0 ? row.bytes / row.seconds : 0.0; }

Json known(double value) { return value > 0.0 ? Json(value) : Json(nullptr); }

Json to_json(const KernelRow& row, double copy) {
  const double rate = bandwidth(row);
  return {{"name", row.name},
          {"calls", row.calls},
          {"seconds", row.seconds},
          {"bytes", row.bytes},
          {"flops", row.flops},
          {"gbytes_per_second", known(rate / 1e9)},
          {"percent_of_copy", known(copy > 0.0 ? 100.0 * rate / copy : 0.0)}};
}

}  // namespace

std::string to_json(const Summary& summary) {
  Json json;
  json["version"] = 1;
  json["status"] = to_string(summary.status);
  json["exit_code"] = summary.status == Status::running ? Json(nullptr) : Json(summary.exit_code);
  if (!summary.message.empty()) json["message"] = summary.message;
  json["problem"] = summary.problem;
  json["backend"] = summary.backend;
  json["device"] = summary.device;
  json["precision"] = summary.precision;
  json["iterations"] = summary.iterations;
  json["residual"] = summary.residual ? Json(*summary.residual) : Json(nullptr);
  if (summary.time) json["time"] = *summary.time;
  for (const Figure& figure : summary.figures) {
    std::string path = "/" + figure.name;
    std::ranges::replace(path, '.', '/');
    std::visit([&](auto value) { json[Json::json_pointer(path)] = value; }, figure.value);
  }
  if (summary.errors)
    json["errors"] = {{"l1", summary.errors->l1}, {"l2", summary.errors->l2}, {"linf", summary.errors->linf}};
  json["wall_seconds"] = summary.wall_seconds;
  json["setup_seconds"] = summary.setup_seconds;
  json["loop_seconds"] = summary.loop_seconds;
  json["kernels"] = Json::array();
  for (const KernelRow& row : summary.kernels) json["kernels"].push_back(to_json(row, summary.copy_bandwidth));
  json["launches"] = summary.launches;
  json["copy_gbytes_per_second"] = known(summary.copy_bandwidth / 1e9);
  json["versions"] = summary.versions;
  json["command_line"] = summary.command_line;
  json["case_sha256"] = summary.case_sha256;
  json["field_sha256"] = summary.field_sha256;
  json["history_sha256"] = summary.history_sha256;
  json["fields"] = summary.fields;
  // A command line may hold any bytes.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string kernel_table(const Summary& summary) {
  if (summary.kernels.empty()) return {};
  std::string text = fmt::format("{:<18} {:>9} {:>10} {:>12} {:>9} {:>9} {:>9}\n", "kernel", "calls", "seconds",
                                 "us/call", "GB/s", "% of copy", "GFLOP/s");
  for (const KernelRow& row : summary.kernels) {
    const double calls = static_cast<double>(std::max<std::int64_t>(row.calls, 1));
    const double rate = bandwidth(row);
    const std::string percent =
        summary.copy_bandwidth > 0.0 ? fmt::format("{:.1f}", 100.0 * rate / summary.copy_bandwidth) : "-";
    text += fmt::format("{:<18} {:>9} {:>10.4f} {:>12.2f} {:>9.2f} {:>9} {:>9.2f}\n", row.name, row.calls, row.seconds,
                        1e6 * row.seconds / calls, rate / 1e9, percent,
                        row.seconds > 0.0 ? row.flops / row.seconds / 1e9 : 0.0);
  }
  return text;
}

}  // namespace quoin
