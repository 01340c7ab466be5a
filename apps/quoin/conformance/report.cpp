#include "conformance/report.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "quoin/words.hpp"

namespace quoin::conformance {
namespace {

/// Text for an XML attribute, without what XML 1.0 cannot hold.
std::string xml(const std::string& text) {
  std::string safe;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\n':
        safe += "&#10;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string seconds(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3f", value);
  return text.data();
}

double total_seconds(const Report& report) {
  double sum = 0.0;
  for (const Result& result : report.results) sum += result.seconds;
  return sum;
}

}  // namespace

int Report::count(Outcome outcome) const {
  return static_cast<int>(
      std::count_if(results.begin(), results.end(), [&](const Result& r) { return r.outcome == outcome; }));
}

std::string line(const Result& result) {
  std::array<char, 128> head{};
  std::snprintf(head.data(), head.size(), "%-20s %-6s %4d %s  ", result.name.c_str(), result.precision.c_str(),
                result.cases, result.cases == 1 ? "case " : "cases");
  switch (result.outcome) {
    case Outcome::passed:
      return std::string(head.data()) + "ok";
    case Outcome::not_offered:
      return std::string(head.data()) + "not offered";
    case Outcome::failed:
      break;
  }
  return std::string(head.data()) + "FAILED: " + printable(result.message, /*one_line=*/true);
}

std::string verdict(const Report& report) {
  const int failed = report.count(Outcome::failed);
  const int missing = report.count(Outcome::not_offered);
  std::string text = report.backend + " on " + report.device + ": ";
  const std::string all = std::to_string(report.results.size());
  const std::string good = report.whole ? "conforms" : "all " + all + " checks passed that were asked for";
  text += failed == 0 ? good : std::to_string(failed) + " of " + all + " checks FAILED";
  if (missing > 0) text += ", " + std::to_string(missing) + " checks not offered";
  if (report.error_bound > 0) text += ", within its declared error bound and not to the bit";
  return text;
}

std::string json(const Report& report) {
  using Json = nlohmann::ordered_json;
  constexpr std::array outcomes{"passed", "failed", "not_offered"};
  Json checks = Json::array();
  for (const Result& r : report.results) {
    checks.push_back({{"name", r.name},
                      {"precision", r.precision},
                      {"cases", r.cases},
                      {"outcome", outcomes.at(static_cast<std::size_t>(r.outcome))},
                      {"message", r.message},
                      {"seconds", r.seconds}});
  }
  const Json all{{"backend", report.backend},
                 {"version", report.version},
                 {"file", report.file},
                 {"device", report.device},
                 {"error_bound", report.error_bound},
                 {"conforms", report.count(Outcome::failed) == 0},
                 {"checks", checks}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string junit(const Report& report) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"quoin conformance " +
                     xml(report.backend) + "\" tests=\"" + std::to_string(report.results.size()) + "\" failures=\"" +
                     std::to_string(report.count(Outcome::failed)) + "\" skipped=\"" +
                     std::to_string(report.count(Outcome::not_offered)) + "\" time=\"" +
                     seconds(total_seconds(report)) + "\">\n";
  for (const Result& r : report.results) {
    const std::string name = r.precision.empty() ? r.name : r.name + " " + r.precision;
    text += "  <testcase classname=\"" + xml(report.backend) + "\" name=\"" + xml(name) + "\" time=\"" +
            seconds(r.seconds) + "\"";
    switch (r.outcome) {
      case Outcome::passed:
        text += "/>\n";
        break;
      case Outcome::not_offered:
        text += "><skipped message=\"not offered\"/></testcase>\n";
        break;
      case Outcome::failed:
        text += "><failure message=\"" + xml(r.message) + "\"/></testcase>\n";
        break;
    }
  }
  return text + "</testsuite>\n";
}

}  // namespace quoin::conformance
