// The smallest backend: plain loops on the host's processor. `quoin new backend NAME` starts from it.

#include "kernels/loops.hpp"
#include "quoin/host_memory.hpp"
#include "quoin/plugin.hpp"

namespace {

class TemplateBackend : public quoin::Backend {
 public:
  std::vector<quoin::DeviceInfo> devices() override { return {quoin::host_device("plain loops")}; }

  std::unique_ptr<quoin::Executor> executor(int device, const quoin::Options&) override {
    return std::make_unique<quoin::HostExecutor>(devices().at(static_cast<std::size_t>(device)),
                                                 quoin::kernels::launch_loops);
  }
};

}  // namespace

QUOIN_BACKEND(TemplateBackend, "template", "1.0.0", "[]")
