#pragma once

#include <unistd.h>

#include <fstream>
#include <optional>
#include <string>

namespace quoin {

/// The variable that names the file where the first rank leaves word for its launcher.
inline constexpr const char* first_rank_variable = "QUOIN_FIRST_RANK";

struct FirstRank {
  pid_t process = 0;        ///< 0: it has not said yet
  std::optional<int> code;  ///< that it ends with
};

inline void write_first_rank(const std::string& file, const FirstRank& rank) {
  std::ofstream out(file);
  out << rank.process;
  if (rank.code) out << ' ' << *rank.code;
  out << std::endl;
}

inline FirstRank read_first_rank(const std::string& file) {
  FirstRank rank;
  int code = 0;
  std::ifstream in(file);
  in >> rank.process;
  if (in >> code) rank.code = code;
  return rank;
}

}  // namespace quoin
