#include "kernels/loops.hpp"

#include "family.hpp"

std::unique_ptr<quoin::Executor> loops() {
  return std::make_unique<quoin::HostExecutor>(quoin::host_device("loops"), quoin::kernels::launch_loops);
}
