#pragma once

// What the parts of the backend share: handles that release themselves, errors in words, devices, programs.

#include <CL/cl.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "quoin/cache.hpp"
#include "quoin/error.hpp"
#include "quoin/executor.hpp"
#include "quoin/plugin.hpp"

namespace quoin::opencl {

template <auto Release>
struct Releaser {
  template <class Object>
  void operator()(Object* object) const {
    Release(object);
  }
};
using ContextHandle = std::unique_ptr<_cl_context, Releaser<clReleaseContext>>;
using QueueHandle = std::unique_ptr<_cl_command_queue, Releaser<clReleaseCommandQueue>>;
using MemoryHandle = std::unique_ptr<_cl_mem, Releaser<clReleaseMemObject>>;
using EventHandle = std::unique_ptr<_cl_event, Releaser<clReleaseEvent>>;
using ProgramHandle = std::unique_ptr<_cl_program, Releaser<clReleaseProgram>>;
using KernelHandle = std::unique_ptr<_cl_kernel, Releaser<clReleaseKernel>>;

/// Throws ErrorKind::device, saying what failed and why, unless `status` is CL_SUCCESS.
void check(cl_int status, const std::string& what, const std::string& where = {});

/// Sizes of work-groups and of passes: the one place where the backend fits itself to a machine.
struct Sizes {
  std::size_t nodes;     ///< work-items of a group that visits nodes of a row, one each
  std::size_t entities;  ///< work-items of a group that visits entities of DG-CVS, one each
  std::size_t pairs;     ///< ... pairs of columns in block sums, one each; a multiple of 8
  std::size_t list_sum;  ///< ... of the final sum of a list, a power of two

  std::size_t units;            ///< multiprocessors
  std::size_t stretch_bytes;    ///< of one, for nodes that each read a stretch of their own; 0: not measured
  std::size_t list_groups;      ///< work-groups at most that may decide together which list is the first to stop a run
  std::size_t sweep_depth;      ///< sweeps of a pass at most
  std::size_t band_lanes;       ///< work-items of a band of a pass, a multiple of 16
  std::size_t resident_lanes;   ///< ... of all bands that the device can have at once
  std::size_t shuffling_lanes;  ///< ... of a band that exchange values by NVIDIA's instructions; 0: there are none
  bool copies_rows;             ///< rows come to their local memory by NVIDIA's asynchronous copies
};

struct Device {
  cl_platform_id platform;
  cl_device_id id;
  std::uint64_t largest_allocation;  ///< bytes
  bool shares_memory;                ///< with the host: its buffers can be looked into where they are
  std::string driver;                ///< names the compiler: programs built by another are not reused
  Sizes sizes;
  DeviceInfo info;
};

/// Every device that can be used, platform by platform. Throws ErrorKind::device, with the reason, if there is none.
std::vector<Device> find_devices();

/// Builds `source`, or loads what an earlier process built of the same source with the same options for the same
/// device and driver. Entries of the cache are written whole, so processes may share it; one that is damaged is
/// built anew, and a cache that cannot be written is done without. Throws ErrorKind::device naming the file with the
/// build log, in the cache folder or else that of temporary files.
ProgramHandle build_program(cl_context context, const Device& device, const std::string& source,
                            const std::string& options, const std::filesystem::path& cache = cache_folder("opencl"));

/// Throws ErrorKind::case_file where an option does not suit the device.
std::unique_ptr<Executor> make_executor(Device device, const Options& options);

}  // namespace quoin::opencl
