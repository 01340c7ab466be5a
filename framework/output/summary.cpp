#include "output/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace quoin {
namespace {

using Json = nlohmann::ordered_json;

double bandwidth(const KernelRow& row) { return row.seconds > 0.0 ? row.bytes / row.seconds : 0.0; }

Json known(double value) { return value > 0.0 ? Json(value) : Json(nullptr); }

/// How near a kernel comes to a rate of the memory; 0 where that is not known.
double percent_of(double rate, double bytes, double seconds) {
  return seconds > 0.0 && rate > 0.0 ? 100.0 * (bytes / seconds) / rate : 0.0;
}
double percent_of_copy(const KernelRow& row, const StreamRates& rates) {
  return percent_of(rates.copy, row.bytes, row.seconds);
}
/// Of the work done sweep by sweep. Several sweeps in one pass may take less: more than 100.
double percent_of_roofline(const KernelRow& row, const StreamRates& rates) {
  return percent_of(rates.triad, row.roofline_bytes, row.seconds);
}

Json to_json(const KernelRow& row, const StreamRates& rates) {
  return {{"name", row.name},
          {"calls", row.calls},
          {"seconds", row.seconds},
          {"bytes", row.bytes},
          {"roofline_bytes", row.roofline_bytes},
          {"flops", row.flops},
          {"gbytes_per_second", known(bandwidth(row) / 1e9)},
          {"percent_of_copy", known(percent_of_copy(row, rates))},
          {"percent_of_roofline", known(percent_of_roofline(row, rates))}};
}

/// Of the ranks, on average.
double mean_waiting(const std::vector<RankFacts>& ranks) {
  double all = 0.0;
  for (const RankFacts& rank : ranks) all += rank.traffic.waiting_seconds;
  return all / static_cast<double>(ranks.size());
}

}  // namespace

std::string to_json(const Summary& summary) {
  // Where a null value has no memory to become an object or an array, the library crashes: none may become one here.
  Json json = Json::object();
  json["version"] = 1;
  json["status"] = to_string(summary.status);
  json["exit_code"] = summary.status == Status::running ? Json(nullptr) : Json(summary.exit_code);
  if (!summary.message.empty()) json["message"] = summary.message;
  if (!summary.title.empty()) json["title"] = summary.title;
  json["date"] = summary.date;
  json["problem"] = summary.problem;
  json["backend"] = summary.backend;
  json["device"] = summary.device;
  if (!summary.ranks.empty()) json["ranks"] = Json::array();
  for (const RankFacts& rank : summary.ranks)
    json["ranks"].push_back({{"rank", json["ranks"].size()},
                             {"host", rank.host},
                             {"backend", rank.backend},
                             {"device", rank.device},
                             {"waiting_seconds", rank.traffic.waiting_seconds},
                             {"messages", rank.traffic.messages},
                             {"bytes", rank.traffic.bytes},
                             {"collectives", rank.traffic.collectives}});
  json["host"] = {
      {"name", summary.host.name}, {"cpu", summary.host.cpu}, {"cores", summary.host.cores}, {"os", summary.host.os}};
  if (!summary.tuned.empty()) json["tuned"] = Json::object();
  for (const auto& [name, value] : summary.tuned)
    json["tuned"][name] = Json::accept(value) ? Json::parse(value) : Json(value);
  json["precision"] = summary.precision;
  json["iterations"] = summary.iterations;
  if (summary.resumed)
    json["resumed"] = {{"iterations", summary.resumed->iterations}, {"backend", summary.resumed->backend}};
  json["residual"] = summary.residual ? Json(*summary.residual) : Json(nullptr);
  if (summary.time) json["time"] = *summary.time;
  for (const Figure& figure : summary.figures) {
    std::string path = "/" + figure.name;
    std::ranges::replace(path, '.', '/');
    std::visit([&](const auto& value) { json[Json::json_pointer(path)] = value; }, figure.value);
  }
  if (summary.errors)
    json["errors"] = {{"l1", summary.errors->l1}, {"l2", summary.errors->l2}, {"linf", summary.errors->linf}};
  json["wall_seconds"] = summary.wall_seconds;
  json["setup_seconds"] = summary.setup_seconds;
  if (!summary.setup_parts.empty()) json["setup_parts_seconds"] = Json::object();
  for (const auto& [what, seconds] : summary.setup_parts) json["setup_parts_seconds"][what] = seconds;
  json["loop_seconds"] = summary.loop_seconds;
  if (!summary.end_seconds.empty()) json["end_seconds"] = Json::object();
  for (const auto& [what, seconds] : summary.end_seconds) json["end_seconds"][what] = seconds;
  if (!summary.ranks.empty()) json["waiting_seconds"] = mean_waiting(summary.ranks);
  json["kernels"] = Json::array();
  for (const KernelRow& row : summary.kernels) json["kernels"].push_back(to_json(row, summary.rates));
  json["launches"] = summary.launches;
  json["copied_bytes"] = {{"to_device", summary.copied.to_device}, {"from_device", summary.copied.from_device}};
  json["copy_gbytes_per_second"] = known(summary.rates.copy / 1e9);
  json["triad_gbytes_per_second"] = known(summary.rates.triad / 1e9);
  const bool wide = summary.precision == "double";
  json["multiply_add_gflops_per_second"] =
      known((wide ? summary.rates.multiply_add : summary.rates.multiply_add_float) / 1e9);
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
  std::string text = fmt::format("{:<18} {:>9} {:>10} {:>12} {:>9} {:>9} {:>9} {:>9}\n", "kernel", "calls", "seconds",
                                 "us/call", "GB/s", "% of copy", "% of roof", "GFLOP/s");
  const auto percent = [](double value) { return value > 0.0 ? fmt::format("{:.1f}", value) : "-"; };
  for (const KernelRow& row : summary.kernels) {
    const double calls = static_cast<double>(std::max<std::int64_t>(row.calls, 1));
    text += fmt::format("{:<18} {:>9} {:>10.4f} {:>12.2f} {:>9.2f} {:>9} {:>9} {:>9.2f}\n", row.name, row.calls,
                        row.seconds, 1e6 * row.seconds / calls, bandwidth(row) / 1e9,
                        percent(percent_of_copy(row, summary.rates)), percent(percent_of_roofline(row, summary.rates)),
                        row.seconds > 0.0 ? row.flops / row.seconds / 1e9 : 0.0);
  }
  if (std::ranges::any_of(summary.kernels, [](const KernelRow& row) { return row.roofline_bytes > row.bytes; }))
    text +=
        "'% of roof': against one pass for each sweep at the triad's rate; several sweeps in a pass may exceed it\n";
  std::string parts;
  for (const auto& [what, seconds] : summary.setup_parts)
    parts += fmt::format("{}{} {:.3f}", parts.empty() ? " (" : ", ", what, seconds);
  text += fmt::format("wall {:.3f} s: set-up {:.3f}{}, loop {:.3f}", summary.wall_seconds, summary.setup_seconds,
                      parts.empty() ? parts : parts + ")", summary.loop_seconds);
  for (const auto& [what, seconds] : summary.end_seconds) text += fmt::format(", {} {:.3f}", what, seconds);
  return text + "\n";
}

}  // namespace quoin
