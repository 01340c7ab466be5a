#pragma once

namespace quoin::openmp {

/// Opens LLVM's runtime for offload devices and gives it the plugin's images; before that nothing of it may be called.
/// The plugin is not linked with it, because it brings the whole of LLVM, which takes 25 ms to open. Throws
/// ErrorKind::device where it cannot be had.
void open_omptarget();

/// Whether it could find a GPU, for which a driver must be there.
bool gpu_driver_found();

}  // namespace quoin::openmp
