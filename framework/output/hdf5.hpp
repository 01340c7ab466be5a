#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "output/result_folder.hpp"
#include "quoin/fields.hpp"

namespace quoin {

namespace hdf5 {
class Target;
}

/// An HDF5 file in the making. It carries no times of its own: the same content gives the same bytes. Errors of the
/// library are ErrorKind::io; those of `put` are thrown by close() and add().
class Hdf5File {
 public:
  explicit Hdf5File(PutAt put);
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
  /// The same for numbers that nobody holds whole: `give` hands over their bytes.
  enum class Numbers { doubles, integers };
  void add(const std::string& name, std::span<const std::int64_t> shape, Numbers numbers, const GiveBytes& give);
  /// Puts what is left: the file is whole then.
  void close();

 private:
  void add(const std::string& name, std::span<const std::int64_t> shape, std::int64_t type, const GiveBytes& give);

  std::unique_ptr<hdf5::Target> target_;
  std::optional<std::int64_t> file_;  // hid_t
};

/// The bytes of a file that fill() fills.
std::string hdf5_image(const std::function<void(Hdf5File& file)>& fill);

/// The values of all arrays in `group`, in the order of their names, as doubles. ErrorKind::io where the file cannot be
/// read.
std::vector<double> read_hdf5(const std::filesystem::path& file, const std::string& group);

}  // namespace quoin
