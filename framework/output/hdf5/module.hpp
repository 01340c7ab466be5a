#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "output/hdf5.hpp"
#include "output/hdf5_input.hpp"

namespace quoin::hdf5 {

std::unique_ptr<Hdf5File> create(PutAt put);
std::unique_ptr<Hdf5Input> open(const std::filesystem::path& file);
std::unique_ptr<Hdf5Input> open_image(const std::string& image);

/// What quoin-hdf5.so has. HDF5 and the thirty libraries that it needs take every start of a process 20 ms, so that
/// they come with a module of their own, which is opened where a file is.
struct Module {
  decltype(&hdf5::create) create;
  decltype(&hdf5::open) open;
  decltype(&hdf5::open_image) open_image;
};

}  // namespace quoin::hdf5

/// The symbol that the module is opened for.
extern "C" const quoin::hdf5::Module quoin_hdf5;
