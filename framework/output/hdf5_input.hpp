#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace quoin {

/// An HDF5 file to read piece by piece. Errors are ErrorKind::io.
class Hdf5Input {
 public:
  static std::unique_ptr<Hdf5Input> open(const std::filesystem::path& file);
  /// The bytes of a file.
  static std::unique_ptr<Hdf5Input> open_image(const std::string& image);
  Hdf5Input() = default;
  Hdf5Input(const Hdf5Input&) = delete;
  Hdf5Input& operator=(const Hdf5Input&) = delete;
  virtual ~Hdf5Input() = default;

  /// A number that is an attribute of the whole file.
  [[nodiscard]] virtual double attribute(const std::string& name) const = 0;
  /// What a group holds, sorted.
  [[nodiscard]] virtual std::vector<std::string> names(const std::string& group) const = 0;
  /// All of an array of bytes, as Hdf5File::add writes it; nothing else, such as links and filters, is read.
  [[nodiscard]] virtual std::string bytes(const std::string& array) const = 0;
  /// The extents of an array, the last of which runs fastest.
  [[nodiscard]] virtual std::vector<std::int64_t> shape(const std::string& array) const = 0;
  /// All of an array of any extents.
  [[nodiscard]] virtual std::vector<double> values(const std::string& array) const = 0;
  /// The first extent of an array of one or two.
  [[nodiscard]] virtual std::int64_t rows(const std::string& array) const = 0;
  /// `count` rows of an array, whose second extent is `width`, or which has none and `width` is 1.
  [[nodiscard]] virtual std::vector<double> read(const std::string& array, std::int64_t first, std::int64_t count,
                                                 std::int64_t width) const = 0;
};

}  // namespace quoin
