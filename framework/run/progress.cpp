#include "run/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace quoin {
namespace {

/// Logarithm of a residual, which may be 0.
double log_of(double residual) { return std::log(std::max(residual, 1e-300)); }

std::string duration(double seconds) {
  const auto whole = static_cast<long long>(std::min(seconds + 0.5, 3.6e9));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

bool can_rewrite_lines() {
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && *terminal != '\0' && std::strcmp(terminal, "dumb") != 0;
}

/// A part of the bar's line; those of the lowest rank go first where the line is narrow.
struct Part {
  int rank;
  std::string text;
};

std::string joined(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts) text += (text.empty() ? "" : "  ") + part.text;
  return text;
}

}  // namespace

void TimeLeft::add(const Progress& progress, double now) {
  constexpr double spacing = 0.1;  // seconds between samples
  constexpr std::size_t window = 50;
  limit_ = static_cast<double>(progress.limit);
  has_tolerance_ = progress.tolerance > 0.0;
  if (has_tolerance_) log_tolerance_ = std::log(progress.tolerance);
  if (!samples_.empty() && now - samples_.back().time < spacing) return;
  samples_.push_back({now, static_cast<double>(progress.iterations), log_of(progress.residual.value_or(0.0))});
  if (samples_.size() > window) samples_.pop_front();
}

double TimeLeft::rate() const {
  if (samples_.size() < 2) return 0.0;
  return (samples_.back().iterations - samples_.front().iterations) / (samples_.back().time - samples_.front().time);
}

std::optional<double> TimeLeft::seconds() const {
  if (rate() <= 0.0) return std::nullopt;
  double left = (limit_ - samples_.back().iterations) / rate();
  const double slope =
      (samples_.back().log_residual - samples_.front().log_residual) / (samples_.back().time - samples_.front().time);
  if (has_tolerance_ && slope < 0.0) left = std::min(left, (log_tolerance_ - samples_.back().log_residual) / slope);
  return std::max(left, 0.0);
}

ProgressStyle progress_style(const std::string& wanted, bool quiet, bool terminal) {
  if (quiet || wanted == "none") return ProgressStyle::none;
  if (wanted == "bar") return ProgressStyle::bar;
  if (wanted == "lines") return ProgressStyle::lines;
  return terminal && can_rewrite_lines() ? ProgressStyle::bar : ProgressStyle::lines;
}

std::size_t terminal_width() {
  constexpr std::size_t usual = 80;
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  if (columns == nullptr) return usual;
  const std::string_view text = columns;
  std::size_t width = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), width);
  return fault == std::errc() && end == text.data() + text.size() && width > 0 ? width : usual;
}

/// A log of a long run is read from its end: nobody misses the lines between.
double ProgressDisplay::pause(double now) const {
  if (style_ == ProgressStyle::bar) return 0.1;
  const double elapsed = now - *started_;
  return elapsed < 60.0 ? 5.0 : elapsed < 600.0 ? 30.0 : 300.0;
}

void ProgressDisplay::update(const Progress& progress, double now) {
  if (style_ == ProgressStyle::none) return;
  newest_ = progress;
  newest_.history.clear();
  if (!first_log_residual_) first_log_residual_ = log_of(progress.residual.value_or(0.0));
  left_.add(progress, now);
  if (!started_) started_ = shown_ = now;  // a run shorter than a pause needs the last line only
  if (now - shown_ < pause(now)) return;
  shown_ = now;
  show();
}

void ProgressDisplay::finish() {
  if (style_ == ProgressStyle::none || newest_.iterations == 0) return;
  show();
  end_line();
}

ProgressDisplay::~ProgressDisplay() { end_line(); }

void ProgressDisplay::end_line() {
  if (open_) write_("\n");
  open_ = false;
}

void ProgressDisplay::show() {
  open_ = style_ == ProgressStyle::bar;
  // The escape sequence erases what an earlier, longer line left.
  write_(style_ == ProgressStyle::bar ? fmt::format("\r{}\x1b[K", bar()) : line() + "\n");
}

double ProgressDisplay::share_done() const {
  double share =
      static_cast<double>(newest_.iterations) / static_cast<double>(std::max<std::int64_t>(newest_.limit, 1));
  if (newest_.tolerance > 0.0) {
    const double all = *first_log_residual_ - std::log(newest_.tolerance);
    if (all > 0.0) share = std::max(share, (*first_log_residual_ - log_of(newest_.residual.value_or(0.0))) / all);
  }
  return std::clamp(std::isfinite(share) ? share : 0.0, 0.0, 1.0);
}

std::string ProgressDisplay::bar() const {
  constexpr std::size_t widest = 20;
  const auto full = static_cast<std::size_t>(share_done() * static_cast<double>(widest));
  std::vector<Part> parts{{0, fmt::format("[{:<{}}]", std::string(full, '#'), widest)}};
  if (newest_.time) {
    parts.push_back({4, fmt::format("{}/{}", newest_.iterations, newest_.limit)});
    parts.push_back({2, fmt::format("t = {:.6g} of {:.6g}", *newest_.time, newest_.final_time)});
  } else {
    parts.push_back({4, std::to_string(newest_.iterations)});
  }
  if (newest_.residual) parts.push_back({3, fmt::format("residual {:.3e}", *newest_.residual)});
  if (left_.rate() > 0.0) parts.push_back({1, fmt::format("{:.4g} {}/s", left_.rate(), newest_.time ? "steps" : "it")});
  if (newest_.status == Status::running && left_.seconds()) parts.push_back({3, duration(*left_.seconds()) + " left"});
  const std::size_t width = width_() - 1;  // in the last column some terminals begin a new line
  while (parts.size() > 1 && joined(parts).size() > width)
    parts.erase(std::ranges::min_element(parts, {}, &Part::rank));
  return joined(parts).substr(0, width);
}

std::string ProgressDisplay::line() const {
  std::string text = fmt::format("{} {} of {}", newest_.time ? "step" : "iteration", newest_.iterations, newest_.limit);
  if (newest_.time) text += fmt::format(", t = {:.6g} of {:.6g}", *newest_.time, newest_.final_time);
  if (newest_.residual) text += fmt::format(", residual {:.6e}", *newest_.residual);
  if (left_.rate() > 0.0) text += fmt::format(", {:.4g} {}/s", left_.rate(), newest_.time ? "steps" : "iterations");
  if (newest_.status == Status::running && left_.seconds()) text += ", " + duration(*left_.seconds()) + " left";
  return text;
}

}  // namespace quoin
