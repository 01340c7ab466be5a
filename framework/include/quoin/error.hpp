#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace quoin {

/// What went wrong, in the terms of the process exit code that it leads to.
enum class ErrorKind : int {
  bug = 1,            ///< a broken promise inside Quoin itself
  usage = 2,          ///< the command line
  case_file = 3,      ///< the case file, or a file that it names
  not_converged = 4,  ///< the iteration limit came before the tolerance
  diverged = 5,       ///< the solution grew without bound or became non-finite
  io = 6,             ///< reading or writing a file
  device = 7,         ///< a device, its driver or its memory
  plugin = 8,         ///< a backend plugin that cannot be used
  checkpoint = 9,     ///< a checkpoint that cannot be used
};

/// The one exception type of Quoin. `what()` says what was wrong and what to do;
/// `where()` names the place (file:line:column, plugin file, device, kernel) and may be empty.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message, std::string where = {})
      : std::runtime_error(message), kind_(kind), where_(std::move(where)) {}

  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
  [[nodiscard]] int exit_code() const noexcept { return static_cast<int>(kind_); }
  [[nodiscard]] const std::string& where() const noexcept { return where_; }

 private:
  ErrorKind kind_;
  std::string where_;
};

}  // namespace quoin
