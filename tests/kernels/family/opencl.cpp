#include "opencl/opencl.hpp"

#include "family.hpp"

std::unique_ptr<quoin::Executor> on_opencl() {
  return quoin::opencl::make_executor(quoin::opencl::find_devices().front(), {});
}
