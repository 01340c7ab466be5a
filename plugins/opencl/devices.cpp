// Platforms and devices, and status codes in words.

#include <CL/cl_ext.h>

#include <algorithm>

#include "memory.hpp"
#include "opencl.hpp"
#include "quoin/plugin.hpp"

namespace quoin::opencl {
namespace {

std::string reason(cl_int status) {
  switch (status) {
    case CL_DEVICE_NOT_AVAILABLE:
      return "the device is not available";
    case CL_COMPILER_NOT_AVAILABLE:
      return "the driver has no compiler";
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_INVALID_BUFFER_SIZE:
      return "the device is out of memory";
    case CL_OUT_OF_RESOURCES:
      return "the device is out of resources, or a kernel failed on it";
    case CL_OUT_OF_HOST_MEMORY:
      return "the host is out of memory";
    case CL_BUILD_PROGRAM_FAILURE:
      return "the program does not build";
    case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST:
      return "earlier work failed";
    default:
      return "OpenCL status";
  }
}

template <class Value>
Value query(cl_device_id device, cl_device_info what) {
  Value value{};
  check(clGetDeviceInfo(device, what, sizeof value, &value, nullptr), "clGetDeviceInfo");
  return value;
}

/// A text that an OpenCL query function gives, without the blanks that some drivers put around it.
template <class Function, class Object>
std::string query_text(Function function, Object object, cl_uint what) {
  std::size_t bytes = 0;
  check(function(object, what, 0, nullptr, &bytes), "reading a name");
  std::string text(bytes, '\0');
  check(function(object, what, bytes, text.data(), nullptr), "reading a name");
  text.resize(std::min(text.size(), text.find('\0')));
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

DeviceKind kind_of(cl_device_type type) {
  if ((type & CL_DEVICE_TYPE_GPU) != 0) return DeviceKind::gpu;
  return (type & CL_DEVICE_TYPE_CPU) != 0 ? DeviceKind::cpu : DeviceKind::accelerator;
}

/// A processor's compiler turns a work-group into a loop, so that larger ones pay less for starting it; but an entity
/// has up to 90 kB of its own (Newton's method), for which a whole group needs room on a stack. The final sum holds 9
/// elements a work-item in local memory, of which every device has 32 KiB.
Sizes sizes_of(DeviceKind kind, std::size_t max_items, std::uint64_t local_memory) {
  Sizes sizes{.nodes = 256,
              .entities = 64,
              .pairs = 128,
              .list_sum = 256,
              .units = 1,
              .stretch_bytes = 0,
              .list_groups = 1,
              .sweep_depth = 8,
              .band_lanes = 64,
              .resident_lanes = 384,
              .shuffling_lanes = 0,
              .copies_rows = false};
  if (kind == DeviceKind::cpu) {
    sizes.nodes = 512;
    sizes.entities = 16;
    sizes.pairs = 256;
    sizes.list_sum = 64;
    sizes.sweep_depth = 1;
    sizes.resident_lanes = 64;
  }
  if (kind == DeviceKind::gpu && local_memory >= std::uint64_t{48} * 1024) sizes.list_sum = 512;
  for (std::size_t* size : {&sizes.nodes, &sizes.pairs, &sizes.list_sum, &sizes.entities}) {
    while (*size > max_items) *size /= 2;
  }
  return sizes;
}

/// Whether it is a device of NVIDIA's, whose compiler takes its own instructions.
bool has_warps(const std::string& extensions) {
  return extensions.find("cl_nv_device_attribute_query") != std::string::npos;
}

std::uint32_t subgroup_of(cl_device_id id, const std::string& extensions) {
  if (has_warps(extensions)) {
    return query<cl_uint>(id, CL_DEVICE_WARP_SIZE_NV);
  }
  if (extensions.find("cl_amd_device_attribute_query") != std::string::npos) {
    return query<cl_uint>(id, CL_DEVICE_WAVEFRONT_WIDTH_AMD);
  }
  return 1;
}

Device describe(cl_platform_id platform, cl_device_id id) {
  const auto device_text = [&](cl_device_info what) { return query_text(clGetDeviceInfo, id, what); };
  std::string platform_name = query_text(clGetPlatformInfo, platform, CL_PLATFORM_NAME);
  if (platform_name == "Portable Computing Language") platform_name = "PoCL";  // as everyone calls it
  Device device{};
  device.platform = platform;
  device.id = id;
  device.shares_memory = query<cl_bool>(id, CL_DEVICE_HOST_UNIFIED_MEMORY) != CL_FALSE;
  device.largest_allocation = query<cl_ulong>(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);

  DeviceInfo& info = device.info;
  info.driver = device_text(CL_DRIVER_VERSION);
  info.version = device_text(CL_DEVICE_VERSION);
  device.driver = query_text(clGetPlatformInfo, platform, CL_PLATFORM_VERSION) + " " + info.version + " " + info.driver;
  info.name = platform_name + ": " + device_text(CL_DEVICE_NAME);
  info.kind = kind_of(query<cl_device_type>(id, CL_DEVICE_TYPE));
  info.memory_bytes = query<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_SIZE);
  info.units = query<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS);
  const std::string extensions = device_text(CL_DEVICE_EXTENSIONS);
  info.subgroup = subgroup_of(id, extensions);
  info.memories = memory_kinds(id);
  device.sizes = sizes_of(info.kind, query<std::size_t>(id, CL_DEVICE_MAX_WORK_GROUP_SIZE),
                          query<cl_ulong>(id, CL_DEVICE_LOCAL_MEM_SIZE));
  if (has_warps(extensions)) {
    device.sizes.shuffling_lanes = device.sizes.band_lanes = info.subgroup;
    device.sizes.stretch_bytes = std::size_t{128} * 1024;
    device.sizes.copies_rows = query<cl_uint>(id, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV) >= 8;
    // Two warps a scheduler: rows come without a wait, and longer segments have fewer rows of their neighbours to do.
    if (device.sizes.copies_rows) device.sizes.resident_lanes = 8 * std::size_t{info.subgroup};
  }
  device.sizes.units = info.units;
  device.sizes.resident_lanes *= info.units;  // a unit's registers hold so many lanes of a pass of 8
  if (extensions.find("cl_khr_int64_base_atomics") != std::string::npos) device.sizes.list_groups = 1024;

  info.precisions = {Precision::float32};
  if (query<cl_device_fp_config>(id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0) {
    info.precisions.insert(info.precisions.begin(), Precision::float64);  // where there is double, it rounds exactly
  }
  constexpr cl_device_fp_config exact =
      CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
  if ((query<cl_device_fp_config>(id, CL_DEVICE_SINGLE_FP_CONFIG) & exact) != exact) {
    info.error_bound = 1e-5;
    info.note = "float does not round as IEEE 754 asks: denormal numbers, division or square root";
  }
  return device;
}

bool usable(cl_device_id id) {
  return query<cl_bool>(id, CL_DEVICE_AVAILABLE) != CL_FALSE &&
         query<cl_bool>(id, CL_DEVICE_COMPILER_AVAILABLE) != CL_FALSE;
}

}  // namespace

std::vector<Device> find_devices() {
  cl_uint count = 0;
  const cl_int status = clGetPlatformIDs(0, nullptr, &count);
  if (status == CL_PLATFORM_NOT_FOUND_KHR || (status == CL_SUCCESS && count == 0)) {
    throw Error(ErrorKind::device,
                "no OpenCL platform: no driver is registered with the ICD loader; install the device's, or PoCL for "
                "the processor (Debian: pocl-opencl-icd), and see that OCL_ICD_VENDORS does not hide it");
  }
  check(status, "clGetPlatformIDs");
  std::vector<cl_platform_id> platforms(count);
  check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");

  std::vector<Device> devices;
  for (const cl_platform_id platform : platforms) {
    try {
      const cl_int listed = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
      if (listed == CL_DEVICE_NOT_FOUND) continue;
      check(listed, "clGetDeviceIDs");
      std::vector<cl_device_id> ids(count);
      check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr), "clGetDeviceIDs");
      for (const cl_device_id id : ids) {
        if (usable(id)) devices.push_back(describe(platform, id));
      }
    } catch (const Error& error) {  // one broken driver must not hide the others
      log(LogLevel::warning, std::string("an OpenCL platform is left out: ") + error.what());
    }
  }
  if (devices.empty()) {
    throw Error(ErrorKind::device, "no OpenCL device: " + std::to_string(platforms.size()) +
                                       " platform(s), but none with a device that has a compiler");
  }
  return devices;
}

void check(cl_int status, const std::string& what, const std::string& where) {
  if (status == CL_SUCCESS) return;
  throw Error(ErrorKind::device, what + ": " + reason(status) + " (" + std::to_string(status) + ")", where);
}

}  // namespace quoin::opencl
