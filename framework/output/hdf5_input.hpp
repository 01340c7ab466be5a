#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace quoin {

/// An HDF5 file to read piece by piece. Errors are ErrorKind::io.
class Hdf5Input {
 public:
  explicit Hdf5Input(const std::filesystem::path& file);
  /// The bytes of a file.
  static Hdf5Input of_image(const std::string& image);
  ~Hdf5Input();
  Hdf5Input(const Hdf5Input&) = delete;
  Hdf5Input& operator=(const Hdf5Input&) = delete;

  /// A number that is an attribute of the whole file.
  [[nodiscard]] double attribute(const std::string& name) const;
  /// What a group holds, sorted.
  [[nodiscard]] std::vector<std::string> names(const std::string& group) const;
  /// All of an array of bytes, as Hdf5File::add writes it; nothing else, such as links and filters, is read.
  [[nodiscard]] std::string bytes(const std::string& array) const;
  /// The first extent of an array of one or two.
  [[nodiscard]] std::int64_t rows(const std::string& array) const;
  /// `count` rows of an array, whose second extent is `width`, or which has none and `width` is 1.
  [[nodiscard]] std::vector<double> read(const std::string& array, std::int64_t first, std::int64_t count,
                                         std::int64_t width = 1) const;

 private:
  Hdf5Input(std::string name, std::int64_t file) : name_(std::move(name)), file_(file) {}
  std::string name_;
  std::int64_t file_;  // hid_t
};

}  // namespace quoin
