#pragma once

// Jacobi iterations by calls of a plugin's C table alone, as a program without the framework would make them.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "quoin/case.hpp"
#include "quoin/plugin_abi.h"

namespace quoin::bench {

/// -u_xx - u_yy = f with u = 0 on the sides and at the start on n x n nodes of the unit square, in double.
struct DirectProblem {
  std::int64_t nodes;
  std::int64_t iterations;
  std::vector<double> f;  ///< nodes x nodes, row by row
};

/// A problem on a device, ready to run.
class DirectRun {
 public:
  /// Throws what the plugin reports.
  DirectRun(const std::filesystem::path& plugin, int device, const OptionMap& options, const DirectProblem& problem);

  /// Launches a sweep and its residual norm for each iteration, and waits once, at the end. Returns seconds.
  double iterate();
  /// Of the last iteration.
  [[nodiscard]] double residual();

 private:
  template <class T>
  using Handle = std::unique_ptr<T, void (*)(T*)>;
  struct Array {
    Handle<quoin_memory> memory;
    std::uint64_t offset;
    std::int64_t pitch;
  };

  [[nodiscard]] Array array(const void* values, std::uint64_t bytes, std::int64_t pitch = 0);
  /// A field of the nodes with a ring, `values` inside and zeros elsewhere.
  [[nodiscard]] Array field(const std::vector<double>& values);
  [[nodiscard]] Handle<quoin_kernel> kernel(const char* name, const std::vector<quoin_constant>& constants);

  std::int64_t n_;
  std::int64_t iterations_;
  const quoin_table* table_;
  bool lays_out_;  // the table reaches as far as `layout`
  Handle<quoin_executor> executor_;
  Handle<quoin_queue> queue_;
  std::vector<Array> arrays_;  // in the order of `Which`
  Handle<quoin_kernel> sweep_, norm_;
};

}  // namespace quoin::bench
