#include "report/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace quoin {
namespace {

constexpr double letter_width = 8.0;    // pixels of a digit
constexpr double label_height = 26.0;   // of a label on an upright axis, with some air
constexpr std::size_t most_labels = 6;  // labels
constexpr double few_decades = 1.6;     // of which powers of ten alone would be one or two

struct Tick {
  double at;
  std::string label;
};

/// Round numbers `step` apart; nothing where numbers have no room for that.
struct Round {
  double step = 0.0;
  std::int64_t first = 0;
  std::int64_t last = -1;
};

Round round_numbers(double low, double high, double wanted) {
  const double rough = (high - low) / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  if (!std::isfinite(rough) || !std::isfinite(power) || !(power > 0.0)) return {};
  double step = 10.0 * power;
  for (const double nice : {5.0, 2.5, 2.0, 1.0})
    if (nice * power >= rough * (1 - 1e-9)) step = nice * power;
  const double first = std::ceil(low / step - 1e-6);
  const double last = std::floor(high / step + 1e-6);
  if (!(std::abs(first) < 1e15 && std::abs(last) < 1e15)) return {};
  return {step, static_cast<std::int64_t>(first), static_cast<std::int64_t>(last)};
}

/// All in the same form, so that they can be compared: 0.25, or with one exponent 2.5e-7.
std::vector<Tick> labelled(const Round& round) {
  if (!(round.step > 0.0) || round.last < round.first) return {};
  const auto value = [&round](std::int64_t k) { return static_cast<double>(k) * round.step; };
  const double largest = std::max(std::abs(value(round.first)), std::abs(value(round.last)));
  const auto exponent = largest > 0.0 ? static_cast<int>(std::floor(std::log10(largest) + 1e-9)) : 0;
  const bool plain = exponent >= -3 && exponent < 6;
  const double unit = plain ? 1.0 : std::pow(10.0, exponent);
  const double step = round.step / unit;
  int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 15);
  if (std::abs(step * std::pow(10.0, decimals) - std::round(step * std::pow(10.0, decimals))) > 1e-3) ++decimals;
  std::vector<Tick> ticks;
  for (std::int64_t k = round.first; k <= round.last; ++k) {
    std::string label = k == 0 ? "0" : fmt::format("{:.{}f}", value(k) / unit, decimals);
    if (k != 0 && !plain) label += fmt::format("e{}", exponent);
    ticks.push_back({value(k), label});
  }
  return ticks;
}

std::size_t letters_of(const std::vector<Tick>& ticks) {
  std::size_t longest = 0;
  for (const Tick& tick : ticks) longest = std::max(longest, tick.label.size());
  return longest;
}

/// Whether labels beside or above each other have room, `pixels` from the first to the last.
bool fits(const std::vector<Tick>& ticks, bool across, double pixels) {
  const double each = across ? letter_width * static_cast<double>(letters_of(ticks)) + 14.0 : label_height;
  return ticks.size() < 2 || pixels >= each * static_cast<double>(ticks.size() - 1);
}

std::vector<Tick> ticks_between(double low, double high, double pixels, bool across) {
  std::vector<Tick> ticks;
  for (std::size_t wanted = most_labels; wanted > 0; --wanted) {
    const Round round = round_numbers(low, high, static_cast<double>(wanted));
    ticks = labelled(round);
    const double share = ticks.empty() ? 0.0 : (ticks.back().at - ticks.front().at) / (high - low);
    if (ticks.size() <= most_labels && fits(ticks, across, share * pixels)) return ticks;
  }
  if (ticks.size() > 1) ticks.resize(1);
  return ticks;
}

/// `minor` are ticks without a label.
std::string commands(const std::string& axis, const std::vector<Tick>& ticks, const std::vector<double>& minor = {}) {
  if (ticks.empty()) return "";
  std::string list;
  for (const Tick& tick : ticks) list += fmt::format("{}'{}' {}", list.empty() ? "" : ", ", tick.label, tick.at);
  for (const double at : minor) list += fmt::format(", '' {} 1", at);
  return fmt::format("set {}tics ({})\n", axis, list);
}

/// Numbers such as 2e-5 on a logarithmic axis; `mantissas` in every decade.
std::vector<Tick> log_ticks_at(double low, double high, std::initializer_list<int> mantissas) {
  const bool plain = low >= 1e-3 && high < 1e6;
  std::vector<Tick> ticks;
  for (int power = static_cast<int>(std::floor(std::log10(low))); std::pow(10.0, power) <= high; ++power) {
    for (const int mantissa : mantissas) {
      const double at = mantissa * std::pow(10.0, power);
      if (at < low || at > high) continue;
      ticks.push_back({at, plain ? fmt::format("{:g}", at) : fmt::format("{}e{}", mantissa, power)});
    }
  }
  return ticks;
}

std::string log_ticks(const std::string& axis, double low, double high, double pixels) {
  const double decades = std::log10(high) - std::log10(low);  // the quotient may be too large
  const bool across = axis == "x";
  if (decades < few_decades) {
    for (const auto mantissas :
         {std::initializer_list<int>{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 5, 7}, {1, 2, 5}, {1, 3}}) {
      const std::vector<Tick> ticks = log_ticks_at(low, high, mantissas);
      double closest = pixels;
      for (std::size_t k = 1; k < ticks.size(); ++k)
        closest = std::min(closest, std::log10(ticks[k].at / ticks[k - 1].at) / decades * pixels);
      if (ticks.size() > 1 && fits({ticks.begin(), ticks.begin() + 2}, across, closest)) return commands(axis, ticks);
    }
    return commands(axis, ticks_between(low, high, pixels, across));
  }
  const double room =
      std::max(1.0, std::min(static_cast<double>(most_labels), pixels / (across ? 6.0 * letter_width : label_height)));
  const int step = static_cast<int>(std::max(1.0, std::ceil(decades / room)));
  std::vector<Tick> ticks;
  std::vector<double> minor;
  const auto first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
  for (int power = first; power <= std::log10(high) + 1e-9; ++power) {
    if ((power - first) % step == 0)
      ticks.push_back({std::pow(10.0, power), fmt::format("10^{{{}}}", power)});
    else
      minor.push_back(std::pow(10.0, power));
  }
  if (step == 1 && decades < 5.0)
    for (int power = first - 1; power <= std::log10(high); ++power)
      for (int mantissa = 2; mantissa < 10; ++mantissa)
        if (const double at = mantissa * std::pow(10.0, power); at >= low && at <= high) minor.push_back(at);
  return commands(axis, ticks, minor);
}

}  // namespace

Ticks linear_ticks(const std::string& axis, double low, double high, double pixels) {
  const std::vector<Tick> ticks = ticks_between(low, high, pixels, axis == "x");
  return {commands(axis, ticks), letters_of(ticks)};
}

std::string linear_axis(const std::string& axis, double low, double high, double pixels, bool round) {
  if (round) {
    const Round numbers = round_numbers(low, high, 5.0);
    if (numbers.step > 0.0) {
      low = std::min(low, std::floor(low / numbers.step + 1e-6) * numbers.step);
      high = std::max(high, std::ceil(high / numbers.step - 1e-6) * numbers.step);
    }
  }
  if (!(high > low) || !std::isfinite(high - low)) return "";
  return fmt::format("set {}range [{}:{}]\n", axis, low, high) + linear_ticks(axis, low, high, pixels).commands;
}

std::string log_axis(const std::string& axis, double low, double high, double pixels, bool room) {
  const double decades = std::log10(high) - std::log10(low);
  const double margin = room ? std::pow(10.0, std::max(0.05 * decades, 0.05)) : 1.0;
  low = std::max(low / margin, 1e-307);
  high = std::min(high * margin, 1e307);
  return fmt::format("set logscale {0}\nset {0}range [{1}:{2}]\n", axis, low, high) +
         log_ticks(axis, low, high, pixels);
}

}  // namespace quoin
