#pragma once

#include <hdf5.h>

#include <string>

#include "quoin/error.hpp"

namespace quoin::hdf5 {

/// The library's own report goes to stderr unless it is told otherwise.
inline void be_quiet() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

/// The result of a call of the library, which is negative where it failed.
template <class Result>
Result checked(Result result, const std::string& what) {
  if (result < 0) throw Error(ErrorKind::io, "HDF5 cannot " + what);
  return result;
}

/// An identifier that closes itself.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what) : id_(checked(id, what)), close_(close) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { close_(id_); }
  operator hid_t() const { return id_; }  // NOLINT: it is one

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

}  // namespace quoin::hdf5
