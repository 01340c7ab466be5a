#include "run/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace quoin {
namespace {

/// Logarithm of a residual, which may be 0.
double log_of(double residual) { return std::log(std::max(residual, 1e-300)); }

std::string duration(double seconds) {
  const auto whole = static_cast<long long>(std::min(seconds + 0.5, 3.6e9));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
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
  return terminal ? ProgressStyle::bar : ProgressStyle::lines;
}

void ProgressDisplay::update(const Progress& progress, double now) {
  if (style_ == ProgressStyle::none) return;
  newest_ = progress;
  newest_.history.clear();
  if (!first_log_residual_) first_log_residual_ = log_of(progress.residual.value_or(0.0));
  left_.add(progress, now);
  const double every = style_ == ProgressStyle::bar ? 0.1 : 5.0;
  if (!shown_) shown_ = now;  // a run shorter than that needs the last line only
  if (now - *shown_ < every) return;
  shown_ = now;
  show();
}

void ProgressDisplay::finish() {
  if (style_ == ProgressStyle::none || newest_.iterations == 0) return;
  show();
  if (style_ == ProgressStyle::bar) write_("\n");
}

void ProgressDisplay::show() {
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
  constexpr std::size_t width = 20;
  const auto full = static_cast<std::size_t>(share_done() * static_cast<double>(width));
  std::string text = fmt::format("[{:<{}}] {}", std::string(full, '#'), width, newest_.iterations);
  if (newest_.time) text += fmt::format("/{}  t = {:.6g} of {:.6g}", newest_.limit, *newest_.time, newest_.final_time);
  if (newest_.residual) text += fmt::format("  residual {:.3e}", *newest_.residual);
  if (left_.rate() > 0.0) text += fmt::format("  {:.4g} {}/s", left_.rate(), newest_.time ? "steps" : "it");
  if (newest_.status == Status::running && left_.seconds()) text += "  " + duration(*left_.seconds()) + " left";
  return text;
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
