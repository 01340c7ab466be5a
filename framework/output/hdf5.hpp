#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "output/result_folder.hpp"
#include "quoin/fields.hpp"

namespace quoin {

/// Loads HDF5 on a thread of its own, for files that are to come.
void prepare_hdf5();

/// An HDF5 file in the making. It carries no times of its own: the same content gives the same bytes. Errors of the
/// library are ErrorKind::io; those of `put` are thrown by close() and add().
class Hdf5File {
 public:
  static std::unique_ptr<Hdf5File> create(PutAt put);
  Hdf5File() = default;
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;
  virtual ~Hdf5File() = default;

  /// Of the whole file.
  virtual void attribute(const std::string& name, std::int64_t value) = 0;
  virtual void attribute(const std::string& name, double value) = 0;
  virtual void attribute(const std::string& name, const std::string& text) = 0;
  virtual void attribute(const std::string& name, const std::vector<std::string>& texts) = 0;
  enum class Numbers { doubles, integers, bytes };
  /// An array of numbers that nobody has to hold whole: `give` hands over their bytes. Creates the groups on the way.
  /// ErrorKind::bug where the values are not as many as the shape says.
  virtual void add(const std::string& name, std::span<const std::int64_t> shape, Numbers numbers,
                   const GiveBytes& give) = 0;
  /// The same for values in memory.
  void add(const std::string& name, std::span<const std::int64_t> shape, std::span<const double> values);
  void add(const std::string& name, std::span<const std::int64_t> shape, std::span<const std::int64_t> values);
  void add(const std::string& name, std::span<const std::byte> bytes);
  /// Puts what is left: the file is whole then.
  virtual void close() = 0;
};

/// The bytes of a file that fill() fills.
std::string hdf5_image(const std::function<void(Hdf5File& file)>& fill);

}  // namespace quoin
