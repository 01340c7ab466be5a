#include "output/hdf5/driver.hpp"

#if __has_include(<H5FDdevelop.h>)  // from HDF5 1.14 on
#include <H5FDdevelop.h>
#endif

#include "output/hdf5/handle.hpp"

namespace quoin::hdf5 {
namespace {

/// What the properties of a file's access carry.
struct Access {
  Target* target;
};

/// A file of this driver, as the library knows it.
struct OpenFile {
  H5FD_t known{};  // first: the library has pointers to it
  Target* target = nullptr;
  haddr_t space = 0;  // in use, as the library counts
};

OpenFile& of(H5FD_t* file) { return *reinterpret_cast<OpenFile*>(file); }
const OpenFile& of(const H5FD_t* file) { return *reinterpret_cast<const OpenFile*>(file); }

H5FD_t* open(const char* /*name*/, unsigned /*flags*/, hid_t access, haddr_t /*most*/) {
  const auto* info = static_cast<const Access*>(H5Pget_driver_info(access));
  return info == nullptr ? nullptr : &(new OpenFile{{}, info->target, 0})->known;
}

herr_t close(H5FD_t* file) {
  delete &of(file);
  return 0;
}

haddr_t space(const H5FD_t* file, H5FD_mem_t /*type*/) { return of(file).space; }

herr_t set_space(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t end) {
  of(file).space = end;
  return 0;
}

haddr_t end(const H5FD_t* file, H5FD_mem_t /*type*/) { return of(file).target->end(); }

herr_t refuse_to_read(H5FD_t* /*file*/, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t /*from*/, size_t /*count*/,
                      void* /*bytes*/) {
  return -1;
}

herr_t write(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t at, size_t count, const void* bytes) {
  of(file).target->put(at, {static_cast<const char*>(bytes), count});
  return 0;
}

/// The file ends where the space in use does.
herr_t truncate(H5FD_t* file, hid_t /*transfer*/, hbool_t /*closing*/) {
  const OpenFile& open = of(file);
  constexpr char nothing = 0;
  if (open.target->end() < open.space) open.target->put(open.space - 1, {&nothing, 1});
  return 0;
}

hid_t driver() {
  static const hid_t id = [] {
    H5FD_class_t made{};
#ifdef H5FD_CLASS_VERSION
    made.version = H5FD_CLASS_VERSION;
    made.value = H5FD_RESERVED;
#endif
    made.name = "quoin";
    made.maxaddr = HADDR_MAX - 1;
    made.fc_degree = H5F_CLOSE_STRONG;
    made.fapl_size = sizeof(Access);
    made.open = open;
    made.close = close;
    made.get_eoa = space;
    made.set_eoa = set_space;
    made.get_eof = end;
    made.read = refuse_to_read;
    made.write = write;
    made.truncate = truncate;
    std::ranges::fill(made.fl_map, H5FD_MEM_SUPER);
    return H5FDregister(&made);
  }();
  return id;
}

}  // namespace

void Target::put(std::uint64_t offset, std::string_view bytes) noexcept {
  end_ = std::max<std::uint64_t>(end_, offset + bytes.size());
  if (failure_) return;
  try {
    put_(offset, bytes);
  } catch (...) {
    failure_ = std::current_exception();
  }
}

void write_to(hid_t access, Target& target) {
  const Access info{&target};
  checked(H5Pset_driver(access, checked(driver(), "make a driver"), &info), "prepare a file");
}

}  // namespace quoin::hdf5
