#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "output/hdf5.hpp"
#include "output/hdf5/driver.hpp"
#include "output/hdf5/handle.hpp"
#include "output/hdf5/module.hpp"

namespace quoin {

using hdf5::be_quiet;
using hdf5::checked;
using hdf5::Handle;

namespace {

static_assert(std::endian::native == std::endian::little, "values are written as they lie in memory");

/// An array whose values are put beside the library, at the place that it gives them; empty where it has none.
std::optional<haddr_t> make_array(hid_t file, const std::string& name, std::span<const hsize_t> extents, hid_t type) {
  const std::string what = "make the array '" + name + "'";
  const Handle space(extents.empty() ? H5Screate(H5S_SCALAR)
                                     : H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr),
                     H5Sclose, what);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, what);
  checked(H5Pset_create_intermediate_group(links, 1), what);
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, what);
  checked(H5Pset_obj_track_times(creation, false), what);
  checked(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY), what);
  checked(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), what);
  const Handle set(H5Dcreate2(file, name.c_str(), type, space, links, creation, H5P_DEFAULT), H5Dclose, what);
  const haddr_t place = H5Dget_offset(set);
  return place == HADDR_UNDEF ? std::nullopt : std::optional(place);
}

/// A scalar without a `count`, else so many values in a row.
void write_attribute(hid_t file, const std::string& name, hid_t memory_type, hid_t file_type,
                     std::optional<hsize_t> count, const void* values) {
  const std::string what = "make the attribute '" + name + "'";
  const Handle space(count ? H5Screate_simple(1, &*count, nullptr) : H5Screate(H5S_SCALAR), H5Sclose, what);
  const Handle made(H5Acreate2(file, name.c_str(), file_type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  checked(H5Awrite(made, memory_type, values), what);
}

/// Texts may have any length.
void write_attribute(hid_t file, const std::string& name, std::optional<hsize_t> count,
                     const std::vector<const char*>& texts) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a type of texts");
  checked(H5Tset_size(type, H5T_VARIABLE), "make a type of texts");
  checked(H5Tset_cset(type, H5T_CSET_UTF8), "make a type of texts");
  write_attribute(file, name, type, type, count, texts.data());
}

hid_t made_for(hdf5::Target& target) {
  be_quiet();
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "prepare a file");
  hdf5::write_to(access, target);
  return checked(H5Fcreate("quoin.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access), "create a file");
}

hid_t file_type(Hdf5File::Numbers numbers) {
  switch (numbers) {
    case Hdf5File::Numbers::doubles:
      return H5T_IEEE_F64LE;
    case Hdf5File::Numbers::integers:
      return H5T_STD_I64LE;
    case Hdf5File::Numbers::bytes:
      break;
  }
  return H5T_STD_U8LE;
}

class File final : public Hdf5File {
 public:
  explicit File(PutAt put) : target_(std::move(put)), file_(made_for(target_)) {}
  ~File() override {
    if (file_) H5Fclose(*file_);
  }

  void attribute(const std::string& name, std::int64_t value) override {
    write_attribute(*file_, name, H5T_NATIVE_INT64, H5T_STD_I64LE, {}, &value);
  }
  void attribute(const std::string& name, double value) override {
    write_attribute(*file_, name, H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, {}, &value);
  }
  void attribute(const std::string& name, const std::string& text) override {
    write_attribute(*file_, name, {}, {text.c_str()});
  }
  void attribute(const std::string& name, const std::vector<std::string>& texts) override {
    std::vector<const char*> starts;
    for (const std::string& text : texts) starts.push_back(text.c_str());
    write_attribute(*file_, name, starts.size(), starts);
  }

  void add(const std::string& name, std::span<const std::int64_t> shape, Numbers numbers,
           const GiveBytes& give) override {
    const hid_t type = file_type(numbers);
    std::vector<hsize_t> extents;
    std::uint64_t bytes = H5Tget_size(type);
    for (const std::int64_t extent : shape) {
      extents.push_back(static_cast<hsize_t>(extent));
      bytes *= extents.back();
    }
    const std::optional<haddr_t> place = make_array(*file_, name, extents, type);
    std::uint64_t given = 0;
    give([&](std::span<const std::byte> piece) {
      if (piece.size() <= bytes - given)
        target_.put(place.value_or(0) + given, {reinterpret_cast<const char*>(piece.data()), piece.size()});
      given += std::min<std::uint64_t>(piece.size(), bytes + 1 - given);
      target_.check();
    });
    if (given != bytes)
      throw Error(ErrorKind::bug, "the array '" + name + "' has not the values that its shape asks for");
  }

  void close() override {
    checked(H5Fclose(*std::exchange(file_, std::nullopt)), "put a file's last bytes");
    target_.check();
  }

 private:
  hdf5::Target target_;
  std::optional<hid_t> file_;
};

}  // namespace

std::unique_ptr<Hdf5File> hdf5::create(PutAt put) { return std::make_unique<File>(std::move(put)); }

}  // namespace quoin
