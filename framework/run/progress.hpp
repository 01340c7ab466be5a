#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "quoin/problem.hpp"

namespace quoin {

/// Time left, from the newest few seconds: to the tolerance by the slope of the logarithm of the residual,
/// to the iteration limit by the rate; the nearer counts.
class TimeLeft {
 public:
  void add(const Progress& progress, double now);
  [[nodiscard]] std::optional<double> seconds() const;
  /// Iterations a second, 0 where not known yet.
  [[nodiscard]] double rate() const;

 private:
  struct Sample {
    double time;
    double iterations;
    double log_residual;
  };
  std::deque<Sample> samples_;
  double limit_ = 0.0;
  double log_tolerance_ = 0.0;
  bool has_tolerance_ = false;
};

enum class ProgressStyle { none, lines, bar };

/// What `run.progress` asks for; `auto` is a bar on a terminal that can rewrite a line (TERM is set and not `dumb`),
/// else lines.
ProgressStyle progress_style(const std::string& wanted, bool quiet, bool terminal);

/// Characters in a line of the terminal that standard error is, else of $COLUMNS, else 80.
std::size_t terminal_width();

/// Tells how the run goes, through `write`: one line that rewrites itself and is never wider than the terminal, or
/// plain lines that grow rarer: every 5 s in the first minute, every 30 s in the first ten, then every 5 minutes. There
/// are no colours.
class ProgressDisplay {
 public:
  using Write = std::function<void(const std::string&)>;
  using Width = std::function<std::size_t()>;
  ProgressDisplay(ProgressStyle style, Write write, Width width = terminal_width)
      : style_(style), write_(std::move(write)), width_(std::move(width)) {}
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;
  /// Ends the bar's line where an error has kept finish() from it.
  ~ProgressDisplay();

  void update(const Progress& progress, double now);
  /// Shows the last state; the bar's line ends.
  void finish();

 private:
  [[nodiscard]] std::string line() const;
  [[nodiscard]] std::string bar() const;
  [[nodiscard]] double share_done() const;
  [[nodiscard]] double pause(double now) const;
  void show();
  void end_line();

  ProgressStyle style_;
  Write write_;
  Width width_;
  TimeLeft left_;
  Progress newest_;
  std::optional<double> first_log_residual_;
  std::optional<double> started_;
  double shown_ = 0.0;
  bool open_ = false;  // a bar stands there
};

}  // namespace quoin
