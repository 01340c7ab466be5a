#include "problems/samples.hpp"

#include <fmt/format.h>

#include <cmath>

#include "case/scalar.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

constexpr const char* probes_name = "probes";

constexpr double max_steps = 1e12;

void add(SampleSet& set, const std::vector<double>& point) {
  set.points.push_back({point[0], point[1]});
  if (point.size() > 2) set.z.push_back(point[2]);
}

/// What between the rows of probes.csv, where the case does not say.
Every usual(RunsBy by) { return Every::steps(by == RunsBy::time ? 10 : 100); }

}  // namespace

Every::Every(const Case& the_case, const std::string& key, RunsBy by) {
  if (by == RunsBy::iterations) {
    count_ = the_case.integer(key);
    return;
  }
  std::string number = the_case.text(key);
  for (const char* unit : {" steps", " step"}) {
    if (!number.ends_with(unit)) continue;
    number.resize(number.size() - std::string_view(unit).size());
    if (read_integer(number, count_).empty() && count_ > 0) return;
  }
  if (read_real(number, time_).empty() && number == the_case.text(key) && time_ > 0.0) return;
  throw the_case.error_at(key, "must be a time of the simulation, as 0.1, or a number of steps, as 10 steps");
}

bool Every::reached(std::int64_t step, double before, double time) const {
  if (count_ > 0) return step % count_ == 0;
  // The first step at or after each multiple, however times were rounded.
  const auto multiples = [this](double t) { return std::floor(t / time_ * (1 + 1e-12)); };
  return multiples(time) > multiples(before);
}

Key every_key(const std::string& path, RunsBy by, const std::string& meaning) {
  if (by == RunsBy::time) return {.path = path, .type = KeyType::text, .meaning = meaning};
  return {.path = path,
          .type = KeyType::integer,
          .meaning = meaning,
          .unit = "iterations",
          .minimum = 1.0,
          .maximum = max_steps};
}

std::vector<Key> sample_keys(RunsBy by, bool in_space) {
  const bool time = by == RunsBy::time;
  const std::string moment = time ? "step, time" : "iteration";
  const std::string place = in_space ? ", x, y, in space z, values)" : ", x, y, values)";
  const std::size_t coordinates = in_space ? 3 : 2;
  return {
      {.path = "output.probes.points",
       .type = KeyType::points,
       .meaning = "Points whose values go to probes.csv (" + moment + ", probe" + place +
                  " at the start, at each `every`, and at the end.",
       .coordinates = coordinates,
       .shorthand = true},
      every_key("output.probes.every", by,
                time
                    ? "Time of the simulation between rows of a probe, as 0.1, or steps, as 5 steps; 10 steps where it "
                      "is not given."
                    : "Iterations between rows of a probe; 100 where it is not given."),
      {.path = "output.lines.*.from",
       .type = KeyType::reals,
       .required = true,
       .meaning = "Start of a line whose values go to NAME-STEP.csv (" + moment + ", distance" + place +
                  " at the start, at each `every`, and at the end.",
       .count = 2,
       .count_at_most = coordinates},
      {.path = "output.lines.*.to",
       .type = KeyType::reals,
       .required = true,
       .meaning = "End of that line.",
       .count = 2,
       .count_at_most = coordinates},
      {.path = "output.lines.*.samples",
       .type = KeyType::integer,
       .fallback = "101",
       .meaning = "Equidistant points on that line, both ends included.",
       .minimum = 2.0,
       .maximum = 1e6},
      every_key("output.lines.*.every", by,
                time ? "Time of the simulation, or steps, between files of that line; where it is not given, they come "
                       "as the fields do (`output.fields.every`)."
                     : "Iterations between files of that line; where it is not given, there are those of the start and "
                       "the end."),
  };
}

std::string SampleSet::key(std::size_t k) const {
  if (line.empty()) return "output.probes.points";
  return "output.lines." + line + (k == 0 ? ".from" : ".to");
}

std::vector<SampleSet> sample_sets(const Case& the_case, RunsBy by) {
  std::vector<SampleSet> sets;
  const auto every_at = [&](const std::string& key) -> std::optional<Every> {
    if (!the_case.has(key)) return std::nullopt;
    return Every(the_case, key, by);
  };
  const std::optional<Every> of_probes = every_at("output.probes.every");
  if (the_case.has("output.probes.points")) {
    SampleSet& set = sets.emplace_back(SampleSet{"", {}, {}, of_probes.value_or(usual(by))});
    for (const std::vector<double>& point : the_case.points("output.probes.points")) add(set, point);
  } else if (of_probes) {
    throw the_case.error_at("output.probes.every", "there are no probes: give 'output.probes.points'");
  }
  for (const std::string& name : the_case.names("output.lines")) {
    const std::string key = "output.lines." + name;
    const auto from = the_case.reals(key + ".from");
    const auto to = the_case.reals(key + ".to");
    if (from.size() != to.size())
      throw the_case.error_at(
          key + ".to",
          fmt::format("the line starts at a point of {} coordinates, and ends at one of {}", from.size(), to.size()));
    const std::int64_t samples = the_case.integer(key + ".samples");
    std::optional<Every> every = every_at(key + ".every");
    if (!every) every = every_at("output.fields.every");
    SampleSet& set = sets.emplace_back(SampleSet{name, {}, {}, every});
    std::vector<double> point(from.size());
    for (std::int64_t k = 0; k < samples; ++k) {
      const double share = static_cast<double>(k) / static_cast<double>(samples - 1);
      for (std::size_t c = 0; c < point.size(); ++c) point[c] = from[c] + share * (to[c] - from[c]);
      add(set, point);
    }
  }
  return sets;
}

std::vector<std::string> sample_files(const Case& the_case) {
  std::vector<std::string> names = the_case.names("output.lines");
  names.emplace_back(probes_name);
  return names;
}

void write_samples(FieldSink& sink, const SampleSet& set, const Moment& moment,
                   const std::vector<std::string>& variables, std::span<const double> values) {
  const bool probes = set.line.empty();
  Table table{probes ? probes_name : frame_name(set.line, moment.step), moment.columns, {}};
  table.columns.insert(table.columns.end(), {probes ? "probe" : "distance", "x", "y"});
  if (!set.z.empty()) table.columns.emplace_back("z");
  table.columns.insert(table.columns.end(), variables.begin(), variables.end());
  const Point& start = set.points.front();
  for (std::size_t k = 0; k < set.points.size(); ++k) {
    const Point& point = set.points[k];
    Row row = moment.row;
    const double behind = set.z.empty() ? 0.0 : set.z[k] - set.z.front();
    row.push_back(probes ? Number(static_cast<std::int64_t>(k + 1))
                         : Number(std::hypot(point.x - start.x, point.y - start.y, behind)));
    row.insert(row.end(), {point.x, point.y});
    if (!set.z.empty()) row.emplace_back(set.z[k]);
    for (const double value : values.subspan(k * variables.size(), variables.size())) row.emplace_back(value);
    table.rows.push_back(std::move(row));
  }
  if (probes) {
    sink.series(table);
  } else {
    sink.table(table);
  }
}

}  // namespace quoin
