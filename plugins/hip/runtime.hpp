#pragma once

#include <cstddef>

// The HIP runtime. With nvcc its names stand for CUDA's, because HIP's own NVIDIA headers do not compile
// under CUDA 13: these are all the names that this backend uses.

#if defined(__CUDACC__) && !defined(__HIP__)
#include <cuda_runtime.h>

#define hipDeviceAttributeConcurrentManagedAccess cudaDevAttrConcurrentManagedAccess
#define hipDeviceAttributeManagedMemory cudaDevAttrManagedMemory
#define hipDeviceAttributeMemoryBusWidth cudaDevAttrGlobalMemoryBusWidth
#define hipDeviceAttributeMemoryClockRate cudaDevAttrMemoryClockRate
#define hipDeviceAttributeMultiprocessorCount cudaDevAttrMultiProcessorCount
#define hipDeviceAttributeWarpSize cudaDevAttrWarpSize
#define hipDeviceGetAttribute cudaDeviceGetAttribute
#define hipDeviceProp_t cudaDeviceProp
#define hipDriverGetVersion cudaDriverGetVersion
#define hipErrorNotReady cudaErrorNotReady
#define hipErrorOutOfMemory cudaErrorMemoryAllocation
#define hipError_t cudaError_t
#define hipEventCreate cudaEventCreate
#define hipEventDestroy cudaEventDestroy
#define hipEventElapsedTime cudaEventElapsedTime
#define hipEventRecord cudaEventRecord
#define hipEventSynchronize cudaEventSynchronize
#define hipEvent_t cudaEvent_t
#define hipFree cudaFree
#define hipFuncAttributes cudaFuncAttributes
#define hipFuncGetAttributes cudaFuncGetAttributes
#define hipGetDevice cudaGetDevice
#define hipGetDeviceCount cudaGetDeviceCount
#define hipGetDeviceProperties cudaGetDeviceProperties
#define hipGetErrorName cudaGetErrorName
#define hipGetErrorString cudaGetErrorString
#define hipGetLastError cudaGetLastError
#define hipGraphDestroy cudaGraphDestroy
#define hipGraphExecDestroy cudaGraphExecDestroy
#define hipGraphExec_t cudaGraphExec_t
#define hipGraphInstantiate(exec, graph, node, log, bytes) cudaGraphInstantiate(exec, graph, 0)
#define hipGraphLaunch cudaGraphLaunch
#define hipGraphUpload cudaGraphUpload
#define hipGraph_t cudaGraph_t
#define hipHostFree cudaFreeHost
#define hipHostGetDevicePointer cudaHostGetDevicePointer
#define hipHostMalloc cudaMallocHost
#define hipHostRegister cudaHostRegister
#define hipHostRegisterMapped cudaHostRegisterMapped
#define hipHostUnregister cudaHostUnregister
#define hipMalloc cudaMalloc
#define hipMallocManaged cudaMallocManaged
#define hipMemAttachGlobal cudaMemAttachGlobal
#define hipMemGetInfo cudaMemGetInfo
#define hipMemcpyAsync cudaMemcpyAsync
#define hipMemcpyDefault cudaMemcpyDefault
#define hipOccupancyMaxActiveBlocksPerMultiprocessor cudaOccupancyMaxActiveBlocksPerMultiprocessor
#define hipRuntimeGetVersion cudaRuntimeGetVersion
#define hipSetDevice cudaSetDevice
#define hipStreamBeginCapture cudaStreamBeginCapture
#define hipStreamCaptureModeThreadLocal cudaStreamCaptureModeThreadLocal
#define hipStreamCreateWithFlags cudaStreamCreateWithFlags
#define hipStreamDestroy cudaStreamDestroy
#define hipStreamEndCapture cudaStreamEndCapture
#define hipStreamNonBlocking cudaStreamNonBlocking
#define hipStreamSynchronize cudaStreamSynchronize
#define hipStreamWaitEvent cudaStreamWaitEvent
#define hipStream_t cudaStream_t
#define hipSuccess cudaSuccess

#define QUOIN_HOST_NOT_COHERENT 0U  // CUDA has the one kind
#else
#include <hip/hip_runtime.h>

#if HIP_VERSION < 50300000  // the first that can
inline hipError_t hipGraphUpload(hipGraphExec_t /*graph*/, hipStream_t /*stream*/) { return hipSuccess; }
#endif
#define QUOIN_HOST_NOT_COHERENT hipHostMallocNonCoherent
#endif

namespace quoin::hip {

/// Advises the runtime to keep managed memory on the device, and not to look for what the host does to it meanwhile. A
/// hint: without it all works as before.
inline void keep_on_device(void* start, std::size_t bytes, int device) {
#if !defined(__HIP__) && CUDART_VERSION >= 13000
  (void)cudaMemAdvise(start, bytes, cudaMemAdviseSetPreferredLocation, {cudaMemLocationTypeDevice, device});
#elif !defined(__HIP__)
  (void)cudaMemAdvise(start, bytes, cudaMemAdviseSetPreferredLocation, device);
#else
  (void)hipMemAdvise(start, bytes, hipMemAdviseSetPreferredLocation, device);
  (void)hipMemAdvise(start, bytes, hipMemAdviseSetCoarseGrain, device);
#endif
}

}  // namespace quoin::hip

// Kernel bodies and the functors that bind them run on the device.
#define QN_CALL __host__ __device__ __forceinline__
