#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "quoin/fields.hpp"

namespace quoin {

/// An HDF5 file that is built in memory, so that it can be written whole. It carries no times of its own: the same
/// content gives the same bytes. Errors of the library are ErrorKind::io.
class Hdf5File {
 public:
  Hdf5File();
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  /// Of the whole file.
  void attribute(const std::string& name, std::int64_t value);
  void attribute(const std::string& name, double value);
  void attribute(const std::string& name, const std::string& text);
  void attribute(const std::string& name, const std::vector<std::string>& texts);
  /// Creates the groups on the way. ErrorKind::bug where the values are not as many as the shape says.
  void add(const std::string& name, std::span<const std::int64_t> shape, std::span<const double> values);
  void add(const std::string& name, std::span<const std::int64_t> shape, std::span<const std::int64_t> values);
  void add(const std::string& name, std::span<const std::byte> bytes);
  /// The bytes of the file.
  [[nodiscard]] std::string image() const;

 private:
  std::int64_t file_;  // hid_t
};

/// The values of all arrays in `group`, in the order of their names, as doubles. ErrorKind::io where the file cannot be
/// read.
std::vector<double> read_hdf5(const std::filesystem::path& file, const std::string& group);

}  // namespace quoin
