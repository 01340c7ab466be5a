#include <array>
#include <utility>

#include "output/hdf5/handle.hpp"
#include "output/hdf5/module.hpp"
#include "output/hdf5_input.hpp"

namespace quoin {

using hdf5::be_quiet;
using hdf5::checked;
using hdf5::Handle;

namespace {

/// The extents of an array of one or two; a second of 1 where there is none.
std::array<hsize_t, 2> extents_of(hid_t space, const std::string& what) {
  std::array<hsize_t, 2> extents{0, 1};
  const int count = checked(H5Sget_simple_extent_ndims(space), what);
  if (count < 1 || count > 2) throw Error(ErrorKind::io, "HDF5 cannot " + what + ": it has other extents");
  checked(H5Sget_simple_extent_dims(space, extents.data(), nullptr), what);
  return extents;
}

herr_t note(hid_t /*group*/, const char* name, const H5L_info_t* /*link*/, void* target) {
  static_cast<std::vector<std::string>*>(target)->emplace_back(name);
  return 0;
}

class Input final : public Hdf5Input {
 public:
  Input(std::string name, hid_t file) : name_(std::move(name)), file_(file, H5Fclose, "read " + name_) {}

  [[nodiscard]] double attribute(const std::string& name) const override;
  [[nodiscard]] std::vector<std::string> names(const std::string& group) const override;
  [[nodiscard]] std::string bytes(const std::string& array) const override;
  [[nodiscard]] std::vector<std::int64_t> shape(const std::string& array) const override;
  [[nodiscard]] std::vector<double> values(const std::string& array) const override;
  [[nodiscard]] std::int64_t rows(const std::string& array) const override;
  [[nodiscard]] std::vector<double> read(const std::string& array, std::int64_t first, std::int64_t count,
                                         std::int64_t width) const override;

 private:
  [[nodiscard]] std::string reading(const std::string& array) const {
    return "read the array '" + array + "' of " + name_;
  }

  std::string name_;
  Handle file_;
};

std::string Input::bytes(const std::string& array) const {
  const std::string what = reading(array);
  const auto require = [&](bool sound) {
    if (!sound) throw Error(ErrorKind::io, "HDF5 cannot " + what + ": it is no plain array of bytes");
  };
  // As Hdf5File writes it: in this file, byte for byte, so that what it takes up is known before memory is asked for.
  H5L_info_t link{};
  checked(H5Lget_info(file_, array.c_str(), &link, H5P_DEFAULT), what);
  H5O_info_t object{};
  require(link.type == H5L_TYPE_HARD && H5Oget_info_by_name(file_, array.c_str(), &object, H5P_DEFAULT) >= 0 &&
          object.type == H5O_TYPE_DATASET);
  const Handle set(H5Dopen2(file_, array.c_str(), H5P_DEFAULT), H5Dclose, what);
  const Handle space(H5Dget_space(set), H5Sclose, what);
  const Handle type(H5Dget_type(set), H5Tclose, what);
  const Handle creation(H5Dget_create_plist(set), H5Pclose, what);
  hsize_t file_bytes = 0;
  checked(H5Fget_filesize(file_, &file_bytes), what);
  const hssize_t count = checked(H5Sget_simple_extent_npoints(space), what);
  require(H5Tequal(type, H5T_STD_U8LE) > 0 && H5Pget_layout(creation) == H5D_CONTIGUOUS &&
          H5Pget_external_count(creation) == 0 && static_cast<hsize_t>(count) <= file_bytes &&
          H5Dget_storage_size(set) == static_cast<hsize_t>(count));
  std::string all(static_cast<std::size_t>(count), '\0');
  checked(H5Dread(set, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), what);
  return all;
}

double Input::attribute(const std::string& name) const {
  const std::string what = "read the attribute '" + name + "' of " + name_;
  const Handle attribute(H5Aopen(file_, name.c_str(), H5P_DEFAULT), H5Aclose, what);
  const Handle space(H5Aget_space(attribute), H5Sclose, what);
  if (H5Sget_simple_extent_npoints(space) != 1) throw Error(ErrorKind::io, "HDF5 cannot " + what);
  double value = 0.0;
  checked(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value), what);
  return value;
}

std::vector<std::string> Input::names(const std::string& group) const {
  const std::string what = "list '" + group + "' of " + name_;
  const Handle open(H5Gopen2(file_, group.c_str(), H5P_DEFAULT), H5Gclose, what);
  std::vector<std::string> all;
  checked(H5Literate(open, H5_INDEX_NAME, H5_ITER_INC, nullptr, note, &all), what);
  return all;
}

std::vector<std::int64_t> Input::shape(const std::string& array) const {
  const std::string what = reading(array);
  const Handle set(H5Dopen2(file_, array.c_str(), H5P_DEFAULT), H5Dclose, what);
  const Handle space(H5Dget_space(set), H5Sclose, what);
  std::vector<hsize_t> extents(static_cast<std::size_t>(checked(H5Sget_simple_extent_ndims(space), what)));
  checked(H5Sget_simple_extent_dims(space, extents.data(), nullptr), what);
  return {extents.begin(), extents.end()};
}

std::vector<double> Input::values(const std::string& array) const {
  const std::string what = reading(array);
  const Handle set(H5Dopen2(file_, array.c_str(), H5P_DEFAULT), H5Dclose, what);
  const Handle space(H5Dget_space(set), H5Sclose, what);
  std::vector<double> values(static_cast<std::size_t>(checked(H5Sget_simple_extent_npoints(space), what)));
  checked(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), what);
  return values;
}

std::int64_t Input::rows(const std::string& array) const {
  const std::string what = reading(array);
  const Handle set(H5Dopen2(file_, array.c_str(), H5P_DEFAULT), H5Dclose, what);
  const Handle space(H5Dget_space(set), H5Sclose, what);
  return static_cast<std::int64_t>(extents_of(space, what)[0]);
}

std::vector<double> Input::read(const std::string& array, std::int64_t first, std::int64_t count,
                                std::int64_t width) const {
  const std::string what = reading(array);
  const Handle set(H5Dopen2(file_, array.c_str(), H5P_DEFAULT), H5Dclose, what);
  const Handle space(H5Dget_space(set), H5Sclose, what);
  const auto extents = extents_of(space, what);
  const std::array<hsize_t, 2> start{static_cast<hsize_t>(first), 0};
  const std::array<hsize_t, 2> block{static_cast<hsize_t>(count), static_cast<hsize_t>(width)};
  if (block[1] != extents[1] || start[0] + block[0] > extents[0])
    throw Error(ErrorKind::io, "HDF5 cannot " + what + ": it has other extents");
  checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr), what);
  std::vector<double> values(static_cast<std::size_t>(count * width));
  const hsize_t total = values.size();
  const Handle memory(H5Screate_simple(1, &total, nullptr), H5Sclose, what);
  checked(H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()), what);
  return values;
}

}  // namespace

std::unique_ptr<Hdf5Input> hdf5::open(const std::filesystem::path& file) {
  be_quiet();
  return std::make_unique<Input>(file.string(), H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
}

std::unique_ptr<Hdf5Input> hdf5::open_image(const std::string& image) {
  be_quiet();
  const std::string what = "read the bytes of a file";
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, what);
  constexpr std::size_t growth = 1 << 20;  // bytes, of no importance to a file that is only read
  checked(H5Pset_fapl_core(access, growth, /*backing_store=*/false), what);
  std::string copy = image;  // the library's interface asks for bytes that it could change
  checked(H5Pset_file_image(access, copy.data(), copy.size()), what);
  return std::make_unique<Input>("an image", H5Fopen("image.h5", H5F_ACC_RDONLY, access));
}

}  // namespace quoin
