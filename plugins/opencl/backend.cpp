// The OpenCL backend: every device of every platform, kernels compiled when a run is set up.

#include "opencl.hpp"
#include "quoin/plugin.hpp"

namespace {

class OpenClBackend : public quoin::Backend {
 public:
  std::vector<quoin::DeviceInfo> devices() override {
    std::vector<quoin::DeviceInfo> infos;
    for (const quoin::opencl::Device& device : found()) infos.push_back(device.info);
    return infos;
  }
  std::unique_ptr<quoin::Executor> executor(int device, const quoin::Options& options) override {
    return quoin::opencl::make_executor(found().at(static_cast<std::size_t>(device)), options);
  }

 private:
  const std::vector<quoin::opencl::Device>& found() {
    if (found_.empty()) found_ = quoin::opencl::find_devices();
    return found_;
  }
  std::vector<quoin::opencl::Device> found_;
};

}  // namespace

QUOIN_BACKEND(OpenClBackend, "opencl", "1.0.0", R"([
  {"key": "sweep_depth", "type": "integer", "minimum": 1, "maximum": 8, "tune": [1, 4, 8],
   "meaning": "Jacobi sweeps of one pass through memory at most"},
  {"key": "sweep_lanes", "type": "integer", "minimum": 16, "maximum": 64, "tune": [32, 48, 64],
   "meaning": "work-items of a band of columns in such a pass: 16, 32, 48 or 64"}])")
