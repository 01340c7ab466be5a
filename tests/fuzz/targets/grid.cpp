// Any bytes as an ESRI ASCII grid: as many heights as rows and columns cross, or an error of the case.

#include "problems/dgcvs/setup/esri_grid.hpp"
#include "quoin/error.hpp"
#include "text_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const TextFile file(data, size);
  try {
    const quoin::HeightGrid grid = quoin::read_esri_grid(file.path());
    if (grid.x.empty() || grid.heights.size() != grid.x.size() * grid.y.size()) std::abort();
  } catch (const quoin::Error& error) {
    if (error.kind() != quoin::ErrorKind::case_file) std::abort();
  }
  return 0;
}
