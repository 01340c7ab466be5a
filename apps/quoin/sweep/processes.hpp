#pragma once

// Other processes of this program, several at a time.

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quoin {

/// The file of this program.
std::string this_program();

/// Runs this program for jobs, each of which finds the same on standard input, and passes on the signals that end it.
/// However it ends, so do they: in order, for what reaches them is SIGINT. One object at a time.
class Processes {
 public:
  explicit Processes(std::string_view input);
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  ~Processes();

  /// `words` follow the program on its command line.
  void start(std::size_t job, const std::vector<std::string>& words);
  [[nodiscard]] std::size_t running() const { return running_.size(); }

  struct Ended {
    std::size_t job;
    int code;          ///< its exit code, 128 more than the signal that ended it
    std::string said;  ///< on standard output and standard error: the last of it
  };
  /// Waits for one that ends, or for a signal: then nothing.
  std::optional<Ended> wait();
  /// The newest signal that came, 0 for none.
  [[nodiscard]] int caught() const { return caught_; }

 private:
  struct Running {
    std::size_t job;
    pid_t process;
    int said;  // a file
  };
  std::optional<Ended> ended();
  void pass_on(int signal) const;

  int input_;  // a file
  std::vector<Running> running_;
  int caught_ = 0;
};

}  // namespace quoin
