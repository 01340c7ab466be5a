#include "omptarget.hpp"

#include <dlfcn.h>
#include <omp.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "quoin/error.hpp"

namespace quoin::openmp {
namespace {

struct Omptarget {
  void* library = nullptr;
  void* images = nullptr;  // of the plugin, as its constructors give them
} omptarget;

template <class Function>
Function* forwarded(const char* name) {
  void* const address = omptarget.library == nullptr ? nullptr : dlsym(omptarget.library, name);
  if (address == nullptr) throw Error(ErrorKind::bug, std::string(name) + " is called without libomptarget");
  Function* function = nullptr;
  std::memcpy(&function, &address, sizeof function);
  return function;
}

}  // namespace

void open_omptarget() {
  if (omptarget.library != nullptr) return;
  omptarget.library = dlopen(QUOIN_LIBOMPTARGET, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (omptarget.library == nullptr)
    throw Error(ErrorKind::device, std::string("the runtime for offload devices cannot be opened: ") + dlerror());
  forwarded<void(void*)>("__tgt_register_lib")(omptarget.images);
  std::atexit([] { forwarded<void(void*)>("__tgt_unregister_lib")(omptarget.images); });  // before libomptarget ends
}

bool gpu_driver_found() {
  // As it opens NVIDIA's, which may have no node in /dev before; AMD's library is there without a driver, too.
  return dlopen("libcuda.so", RTLD_LAZY) != nullptr || access("/dev/kfd", F_OK) == 0;
}

}  // namespace quoin::openmp

extern "C" {

// Of the plugin's constructors and its end.
void __tgt_register_lib(void* images) { quoin::openmp::omptarget.images = images; }
void __tgt_unregister_lib(void* /*images*/) {}

// Of target regions, and of the plugin itself.
#define QN_FORWARD(result, name, parameters, arguments)                               \
  result name parameters {                                                            \
    static auto* const function = quoin::openmp::forwarded<result parameters>(#name); \
    return function arguments;                                                        \
  }
QN_FORWARD(int, __tgt_target_kernel,
           (void* place, std::int64_t device, std::int32_t teams, std::int32_t threads, void* region, void* arguments),
           (place, device, teams, threads, region, arguments))
QN_FORWARD(void, __tgt_target_data_begin_mapper,
           (void* place, std::int64_t device, std::int32_t count, void** bases, void** starts, std::int64_t* sizes,
            std::int64_t* types, void** names, void** mappers),
           (place, device, count, bases, starts, sizes, types, names, mappers))
QN_FORWARD(void, __tgt_target_data_end_mapper,
           (void* place, std::int64_t device, std::int32_t count, void** bases, void** starts, std::int64_t* sizes,
            std::int64_t* types, void** names, void** mappers),
           (place, device, count, bases, starts, sizes, types, names, mappers))
QN_FORWARD(int, omp_get_num_devices, (), ())
QN_FORWARD(int, omp_get_initial_device, (), ())
QN_FORWARD(void*, omp_get_mapped_ptr, (const void* memory, int device), (memory, device))
QN_FORWARD(void*, omp_target_alloc, (std::size_t bytes, int device), (bytes, device))
QN_FORWARD(void, omp_target_free, (void* memory, int device), (memory, device))
QN_FORWARD(int, omp_target_memcpy,
           (void* sink, const void* source, std::size_t bytes, std::size_t sink_offset, std::size_t source_offset,
            int sink_device, int source_device),
           (sink, source, bytes, sink_offset, source_offset, sink_device, source_device))
QN_FORWARD(void*, llvm_omp_target_alloc_host, (std::size_t bytes, int device), (bytes, device))
QN_FORWARD(void*, llvm_omp_target_alloc_shared, (std::size_t bytes, int device), (bytes, device))
QN_FORWARD(void, llvm_omp_target_free_host, (void* memory, int device), (memory, device))
QN_FORWARD(void, llvm_omp_target_free_shared, (void* memory, int device), (memory, device))

}  // extern "C"
