#pragma once

#include <hdf5.h>

#include <algorithm>
#include <exception>

#include "output/result_folder.hpp"

namespace quoin::hdf5 {

/// Where a file goes that HDF5 makes. What `put` throws is kept, as it cannot pass through the library.
class Target {
 public:
  explicit Target(PutAt put) : put_(std::move(put)) {}
  void put(std::uint64_t offset, std::string_view bytes) noexcept;
  /// One behind the last byte that was put.
  [[nodiscard]] std::uint64_t end() const { return end_; }
  /// Throws what was kept.
  void check() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  PutAt put_;
  std::uint64_t end_ = 0;
  std::exception_ptr failure_;
};

/// Has a file that is created with these properties put into `target`, which has to outlive it, and be none that is
/// read.
void write_to(hid_t access, Target& target);

}  // namespace quoin::hdf5
