// Programs: built from source once, then loaded from a cache on disk.

#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <string_view>

#include "opencl.hpp"
#include "quoin/files.hpp"
#include "quoin/plugin.hpp"

namespace quoin::opencl {
namespace {

namespace fs = std::filesystem;

std::string hex(std::size_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016zx", number);
  return text;
}

std::size_t hash(std::string_view text) { return std::hash<std::string_view>{}(text); }

std::string read_whole(const fs::path& path) {
  require_file(path);
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// An entry of the cache: what the binary was made of, in full so that a collision of hashes does no harm, the
/// binary, and a checksum of both.
std::string entry_of(const std::string& key, const std::string& binary) {
  return hex(hash(key + binary)) + hex(key.size()) + key + binary;
}

/// The binary of an entry that belongs to `key`; empty where it does not or is damaged.
std::string binary_of(const std::string& entry, const std::string& key) {
  const std::size_t header = hex(0).size() * 2 + key.size();
  if (entry.size() <= header) return {};
  std::string binary = entry.substr(header);
  return entry == entry_of(key, binary) ? binary : std::string();
}

ProgramHandle load(cl_context context, const Device& device, const std::string& binary, const std::string& options) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  const std::size_t size = binary.size();
  cl_int status = CL_SUCCESS;
  ProgramHandle program(clCreateProgramWithBinary(context, 1, &device.id, &size, &bytes, nullptr, &status));
  if (status != CL_SUCCESS) return nullptr;
  status = clBuildProgram(program.get(), 1, &device.id, options.c_str(), nullptr, nullptr);
  return status == CL_SUCCESS ? std::move(program) : nullptr;
}

std::string build_log(cl_program program, cl_device_id device) {
  std::size_t bytes = 0;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
  std::string text(bytes, '\0');
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, text.data(), nullptr);
  return text.substr(0, text.find('\0'));
}

/// The first line of a build log that tells of an error, or the first at all.
std::string first_error(const std::string& text) {
  const std::size_t error = text.find("error");
  const std::size_t begin = error == std::string::npos ? 0 : text.rfind('\n', error) + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

[[noreturn]] void report_failure(cl_int status, const std::string& messages, const Device& device,
                                 const std::string& options, const fs::path& cache, const std::string& name) {
  const std::string text = "clBuildProgram gave " + std::to_string(status) + "\n" + messages;
  const std::string whole = device.info.name + "\n" + device.driver + "\n" + options + "\n\n" + text;
  std::error_code none;
  for (const fs::path& folder : {cache, fs::temp_directory_path(none)}) {
    const fs::path file = folder / (name + ".log");
    if (folder.empty() || !write_whole(file, whole)) continue;
    throw Error(
        ErrorKind::device,
        "the kernels do not build (" + first_error(messages) + "); the compiler's messages are in " + file.string(),
        device.info.name);
  }
  throw Error(ErrorKind::device, "the kernels do not build, and no file could be written for: " + text,
              device.info.name);
}

ProgramHandle compile(cl_context context, const Device& device, const std::string& source, const std::string& options,
                      const fs::path& cache, const std::string& name) {
  const char* text = source.c_str();
  cl_int status = CL_SUCCESS;
  ProgramHandle program(clCreateProgramWithSource(context, 1, &text, nullptr, &status));
  check(status, "clCreateProgramWithSource", device.info.name);
  status = clBuildProgram(program.get(), 1, &device.id, options.c_str(), nullptr, nullptr);
  if (status != CL_SUCCESS) {
    report_failure(status, build_log(program.get(), device.id), device, options, cache, name);
  }
  return program;
}

std::string binary_from(cl_program program) {
  std::size_t size = 0;
  if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) != CL_SUCCESS) return {};
  std::string binary(size, '\0');
  char* bytes = binary.data();
  if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, nullptr) != CL_SUCCESS) return {};
  return binary;
}

}  // namespace

ProgramHandle build_program(cl_context context, const Device& device, const std::string& source,
                            const std::string& options, const fs::path& cache) {
  const std::string key = device.info.name + "\n" + device.driver + "\n" + options + "\n" + source;
  const std::string name = hex(hash(key));
  const fs::path file = cache.empty() ? cache : cache / (name + ".bin");
  const std::string cached = binary_of(file.empty() ? "" : read_whole(file), key);
  if (!cached.empty()) {
    if (ProgramHandle program = load(context, device, cached, options)) return program;
  }
  ProgramHandle program = compile(context, device, source, options, cache, name);
  const std::string binary = file.empty() ? std::string() : binary_from(program.get());
  if (!binary.empty() && !write_whole(file, entry_of(key, binary))) {
    log(LogLevel::debug, "compiled kernels are not kept: cannot write " + file.string());
  }
  return program;
}

}  // namespace quoin::opencl
