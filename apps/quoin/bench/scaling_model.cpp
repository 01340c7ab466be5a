#include "bench/scaling_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "bench/figures.hpp"

namespace quoin::bench::scaling {
namespace {

/// y = x[0] a[0] + x[1] a[1], as heavy as `weight`.
struct Equation {
  std::array<double, 2> a;
  double y, weight;
};

double square(double x) { return x * x; }

double misfit(std::span<const Equation> equations, const std::array<double, 2>& x) {
  double sum = 0.0;
  for (const auto& [a, y, weight] : equations) sum += square(weight * (a[0] * x[0] + a[1] * x[1] - y));
  return sum;
}

/// The least squares without negative unknowns: both are free, or one is 0, or both are.
std::array<double, 2> solved(std::span<const Equation> equations) {
  double aa = 0.0, ab = 0.0, bb = 0.0, ay = 0.0, by = 0.0;
  for (const auto& [a, y, weight] : equations) {
    const double w = square(weight);
    aa += w * a[0] * a[0];
    ab += w * a[0] * a[1];
    bb += w * a[1] * a[1];
    ay += w * a[0] * y;
    by += w * a[1] * y;
  }
  std::vector<std::array<double, 2>> candidates{{0.0, 0.0}};
  if (aa > 0.0) candidates.push_back({ay / aa, 0.0});
  if (bb > 0.0) candidates.push_back({0.0, by / bb});
  constexpr double dependent = 1e-9;  // columns that differ by less than this share are one
  const double determinant = aa * bb - ab * ab;
  if (determinant > dependent * aa * bb)
    candidates.push_back({(bb * ay - ab * by) / determinant, (aa * by - ab * ay) / determinant});
  std::erase_if(candidates, [](const auto& x) { return x[0] < 0.0 || x[1] < 0.0; });
  return *std::ranges::min_element(candidates, {}, [&](const auto& x) { return misfit(equations, x); });
}

/// Messages, and hops of sums to all, one after another.
double transfers(const Sample& at) {
  return at.messages + 2.0 * std::bit_width(static_cast<unsigned>(at.ranks - 1)) * at.collectives;
}

double median_of(const Json& row, const char* name) {
  std::vector<double> values;
  for (const Json& run : row["repeats"]) values.push_back(run["traffic"][name].get<double>());
  return spread(std::move(values))["median"].get<double>();
}

Sample sample_of(const Json& row, std::int64_t rows_together) {
  const int ranks = row["ranks"].get<int>();
  const double iterations = row["iterations"].get<double>();
  const auto each = [&](const char* name) { return median_of(row, name) / iterations; };
  return {.ranks = ranks,
          .entities = largest_part(row["nodes"].get<std::vector<std::int64_t>>(), rows_together, ranks),
          .loop = 1e-6 * row["us_per_iteration"]["median"].get<double>(),
          .kernels = 1e-6 * us_per_iteration(row, "seconds")["median"].get<double>(),
          .messages = each("messages"),
          .bytes = each("bytes"),
          .collectives = each("collectives")};
}

/// An iteration on so many ranks, and the part of it in which the ranks compute; null where a part would have nothing.
Json point(const Model& model, Sample like, int ranks, double entities) {
  if (entities == 0.0) return nullptr;
  like.ranks = ranks;
  like.entities = entities;
  const double loop = model.loop(like);
  return {{"us_per_iteration", 1e6 * loop}, {"efficiency", model.kernels(entities) / loop}};
}

/// `rows` are those of one backend and precision, on two ranks and more.
Json model_of(const std::vector<const Json*>& rows, std::int64_t rows_together) {
  std::vector<Sample> samples;
  for (const Json* row : rows) samples.push_back(sample_of(*row, rows_together));
  if (samples.empty()) return nullptr;
  const auto largest_at = std::ranges::max_element(samples, {}, &Sample::ranks);
  const Json& largest = *rows[static_cast<std::size_t>(largest_at - samples.begin())];
  const Sample last = *largest_at;
  // Ranks that compute at quite another rate are others: those of backends with threads share the cores of the host.
  constexpr double another = 2.5;
  std::erase_if(samples, [&](const Sample& sample) {
    const double ratio = sample.kernels / sample.entities / (last.kernels / last.entities);
    return ratio > another || ratio < 1.0 / another;
  });
  const std::optional<Model> model = fit(samples);
  if (!model) return nullptr;
  double off = 0.0;
  for (const Sample& sample : samples) off = std::max(off, std::abs(model->loop(sample) / sample.loop - 1.0));
  Json found{{"requested", largest["requested"]},
             {"precision", largest["precision"]},
             {"fitted_to_ranks", Json::array()},
             {"largest_error", off},
             {"nodes", largest["nodes"]},
             {"seconds_per_entity", model->per_entity},
             {"latency_seconds", model->latency},
             {"seconds_per_byte", model->per_byte},
             {"points", Json::array()}};
  for (const Sample& sample : samples) found["fitted_to_ranks"].push_back(sample.ranks);
  const auto nodes = largest["nodes"].get<std::vector<std::int64_t>>();
  for (int ranks = 10; ranks <= 100'000; ranks *= 10)
    found["points"].push_back({{"ranks", ranks},
                               {"strong", point(*model, last, ranks, largest_part(nodes, rows_together, ranks))},
                               {"weak", point(*model, last, ranks, last.entities)}});
  return found;
}

std::string columns(const Json& at) {
  if (at.is_null()) return fmt::format("{:>13} {:>9}", "-", "-");
  return fmt::format("{:>13} {:>9}", number(at["us_per_iteration"], 1), number(at["efficiency"], 3));
}

std::string text_of(const std::string& name, const Json& model) {
  const double per_byte = model["seconds_per_byte"].get<double>();
  std::string text = fmt::format(
      "{} on {}, {}: {:.3g} ns a node or cell, {:.3g} us a message or hop of a sum, {}.\n"
      "Fitted to the rows of {} ranks, which differ from it by {:.0f} % at most.\n\n",
      name, model["requested"].get<std::string>(), model["precision"].get<std::string>(),
      1e9 * model["seconds_per_entity"].get<double>(), 1e6 * model["latency_seconds"].get<double>(),
      per_byte > 0.0 ? fmt::format("{:.3g} GB/s", 1e-9 / per_byte) : "no time for bytes",
      fmt::join(model["fitted_to_ranks"].get<std::vector<int>>(), ", "), 100.0 * model["largest_error"].get<double>());
  const auto nodes = model["nodes"].get<std::vector<std::int64_t>>();
  text += fmt::format("{:>8} {:>23} {:>23}\n", "", fmt::format("{}x{}", nodes[0], nodes[1]), "as many each");
  text += fmt::format("{:>8} {:>13} {:>9} {:>13} {:>9}\n", "ranks", "iteration", "computing", "iteration", "computing");
  for (const Json& at : model["points"])
    text += fmt::format("{:>8} {} {}\n", at["ranks"].get<int>(), columns(at["strong"]), columns(at["weak"]));
  return text;
}

}  // namespace

double Model::others(const Sample& at) const { return latency * transfers(at) + per_byte * at.bytes; }

std::optional<Model> fit(const std::vector<Sample>& samples) {
  std::set<int> numbers;
  std::vector<Equation> others;
  for (const Sample& sample : samples) {
    numbers.insert(sample.ranks);
    others.push_back(
        {{transfers(sample), sample.bytes}, std::max(0.0, sample.loop - sample.kernels), 1.0 / sample.loop});
  }
  if (numbers.size() < 2) return std::nullopt;
  const Sample& most = *std::ranges::max_element(samples, {}, &Sample::ranks);
  const auto [latency, per_byte] = solved(others);
  return Model{most.kernels / most.entities, latency, per_byte};
}

double largest_part(const std::vector<std::int64_t>& nodes, std::int64_t rows_together, int ranks) {
  const std::int64_t together = rows_together > 0 ? nodes[0] * rows_together : 1;
  const std::int64_t pieces = (nodes[0] * nodes[1] + together - 1) / together;
  if (ranks > pieces) return 0.0;
  const std::int64_t most = (pieces + ranks - 1) / ranks;
  return static_cast<double>(most * together);
}

void add_models(Json& of_case) {
  std::vector<std::vector<const Json*>> groups;
  for (const Json& row : of_case["rows"]) {
    if (!has_figures(row) || row["ranks"] < 2 || row["shares_cores"]) continue;
    const auto same = std::ranges::find_if(groups, [&](const auto& group) {
      return (*group.front())["requested"] == row["requested"] && (*group.front())["precision"] == row["precision"];
    });
    if (same == groups.end())
      groups.push_back({&row});
    else
      same->push_back(&row);
  }
  of_case["models"] = Json::array();
  for (const auto& group : groups)
    if (Json model = model_of(group, of_case["rows_together"].get<std::int64_t>()); !model.is_null())
      of_case["models"].push_back(std::move(model));
}

std::string models_text(const Json& study) {
  std::string text;
  for (const Json& of_case : study["cases"])
    for (const Json& model : of_case["models"]) text += "\n" + text_of(of_case["case"].get<std::string>(), model);
  if (text.empty()) return text;
  return "\nA model, nothing of it measured: what more ranks would take if they, their memory and what connects them "
         "were as\nin the rows above that give each rank a core. 'computing' is the kernels' part of an iteration; '-' "
         "where a rank\nwould have nothing to do.\n" +
         text;
}

}  // namespace quoin::bench::scaling
