// Programs, built from source. Drivers keep what they compile themselves, from one process to the next.

#include <cstdio>
#include <functional>

#include "opencl.hpp"
#include "quoin/cache.hpp"

namespace quoin::opencl {
namespace {

namespace fs = std::filesystem;

std::string build_log(cl_program program, cl_device_id device) {
  std::size_t bytes = 0;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
  std::string text(bytes, '\0');
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, text.data(), nullptr);
  return text.substr(0, text.find('\0'));
}

[[noreturn]] void report_failure(const std::string& text, const Device& device, const std::string& options) {
  const std::string whole = device.info.name + "\n" + device.driver + "\n" + options + "\n\n" + text;
  char name[32];
  std::snprintf(name, sizeof name, "%016zx.log", std::hash<std::string>{}(whole));
  std::error_code none;
  for (const fs::path& folder : {cache_folder("opencl"), fs::temp_directory_path(none)}) {
    const fs::path file = folder / name;
    if (folder.empty() || !write_whole(file, whole)) continue;
    throw Error(ErrorKind::device, "the kernels do not build; the compiler's messages are in " + file.string(),
                device.info.name);
  }
  throw Error(ErrorKind::device, "the kernels do not build, and no file could be written for: " + text,
              device.info.name);
}

}  // namespace

ProgramHandle build_program(cl_context context, const Device& device, const std::string& source,
                            const std::string& options) {
  const char* text = source.c_str();
  cl_int status = CL_SUCCESS;
  ProgramHandle program(clCreateProgramWithSource(context, 1, &text, nullptr, &status));
  check(status, "clCreateProgramWithSource", device.info.name);
  status = clBuildProgram(program.get(), 1, &device.id, options.c_str(), nullptr, nullptr);
  if (status != CL_SUCCESS)
    report_failure("clBuildProgram gave " + std::to_string(status) + "\n" + build_log(program.get(), device.id), device,
                   options);
  return program;
}

}  // namespace quoin::opencl
