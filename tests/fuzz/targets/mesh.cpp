// Any bytes as a Gmsh file: a mesh, or an error of the case.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "mesh/gmsh.hpp"
#include "quoin/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    (void)quoin::parse_gmsh({reinterpret_cast<const char*>(data), size}, "mesh.msh");
  } catch (const quoin::Error& error) {
    if (error.kind() != quoin::ErrorKind::case_file) std::abort();
  }
  return 0;
}
