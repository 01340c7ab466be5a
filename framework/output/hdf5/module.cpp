#include "output/hdf5/module.hpp"

extern "C" const quoin::hdf5::Module quoin_hdf5{quoin::hdf5::create, quoin::hdf5::open, quoin::hdf5::open_image};
