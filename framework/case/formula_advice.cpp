// What formulas have in place of words and operators of other languages.

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "case/expression.hpp"

namespace quoin {
namespace {

struct Advice {
  std::string_view word;
  std::string_view text;
};

constexpr std::array advice{
    Advice{"**", "a power is written ^"},
    Advice{"%", "for the rest of a division write x - y*floor(x/y)"},
    Advice{"mod", "for the rest of a division write x - y*floor(x/y)"},
    Advice{"fmod", "for the rest of a division write x - y*floor(x/y)"},
    Advice{"if", "write condition ? a : b"},
    Advice{"and", "write &&"},
    Advice{"&", "write &&"},
    Advice{"or", "write ||"},
    Advice{"|", "write ||"},
    Advice{"not", "write (condition) == 0"},
    Advice{"!", "write (condition) == 0"},
    Advice{"<>", "write !="},
    Advice{"=>", "write >="},
    Advice{"=<", "write <="},
    Advice{"true", "write 1"},
    Advice{"false", "write 0"},
    Advice{"e", "write exp(1)"},
    Advice{"euler", "write exp(1)"},
    Advice{"fabs", "write abs"},
    Advice{"arcsin", "write asin"},
    Advice{"arccos", "write acos"},
    Advice{"arctan", "write atan"},
    Advice{"arctan2", "write atan2"},
    Advice{"round", "write rint"},
    Advice{"sgn", "write sign"},
    Advice{"signum", "write sign"},
    Advice{"lg", "write log10"},
    Advice{"math", "write functions by themselves: sin(x)"},
    Advice{"np", "write functions by themselves: sin(x)"},
    Advice{"numpy", "write functions by themselves: sin(x)"},
};

}  // namespace

std::string formula_advice(std::string_view word) {
  const std::string lower = lower_case(word);
  const auto found = std::find_if(advice.begin(), advice.end(), [&](const Advice& row) { return row.word == lower; });
  return found == advice.end() ? "" : std::string(found->text);
}

}  // namespace quoin
