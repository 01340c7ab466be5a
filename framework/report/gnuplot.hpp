#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace quoin {

/// What gnuplot is to draw. The script sets no terminal and no output; `image` is at hand as the file image.raw of
/// 32-bit numbers.
struct Chart {
  std::string script;
  std::vector<float> image{};
  int width = 400;  // small, so that letters stay legible on a phone
  int height = 300;
  std::string says{};  ///< its figures, for who cannot see it
  /// Where between its axes is, in pixels from the left and from above, where that was set.
  struct Box {
    double left, top, width, height;
  };
  std::optional<Box> box{};
};

/// A text as gnuplot takes it: in single quotes, where it substitutes nothing, without control characters. Not more
/// than `longest` characters of it.
std::string quoted(const std::string& text, std::size_t longest = 40);

/// The program gnuplot, run as a child in a private folder that goes with this object.
class Gnuplot {
 public:
  Gnuplot() = default;
  Gnuplot(const Gnuplot&) = delete;
  Gnuplot& operator=(const Gnuplot&) = delete;
  ~Gnuplot();

  /// The chart as SVG. Empty where there is no gnuplot, or it fails: fault() says why.
  std::optional<std::string> draw(const Chart& chart);
  [[nodiscard]] const std::string& fault() const { return fault_; }
  /// Whether the program itself could not be started.
  [[nodiscard]] bool absent() const { return absent_; }

 private:
  bool start(const Chart& chart);

  std::filesystem::path folder_;
  std::string fault_;
  bool absent_ = false;
};

}  // namespace quoin
