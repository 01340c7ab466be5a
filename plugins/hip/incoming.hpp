#pragma once

// Rows that come from global memory into memory of the work-group while their lane computes.

#include "config.hpp"
#include "kernels/march.hpp"

namespace quoin::hip {

using kernels::Cells;

// A lane asks row by row and closes each; await_rows<n>() returns when all but the newest n closed rows are there.
// Only the lane that asked may read them without a barrier.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
template <class T>
class Incoming {
 public:
  __device__ __forceinline__ void whole(Cells<T>* to, Cells<T>* /*before*/, const T* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address(to)), "l"(from) : "memory");
  }
  __device__ __forceinline__ void each(Cells<T>* to, Cells<T>* /*before*/, const T* row,
                                       const int (&columns)[Cells<T>::size]) {
#pragma unroll
    for (int c = 0; c < Cells<T>::size; ++c)
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(address(&to->v[c])), "l"(row + columns[c]),
                   "n"(sizeof(T))
                   : "memory");
  }

 private:
  __device__ static unsigned address(const void* shared) {
    return static_cast<unsigned>(__cvta_generic_to_shared(shared));
  }
};
__device__ __forceinline__ void close_row() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int Newest>
__device__ __forceinline__ void await_rows() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Newest) : "memory");
}
#else
/// Without such copies a row waits in registers until the next is asked for.
template <class T>
class Incoming {
 public:
  __device__ __forceinline__ void whole(Cells<T>* /*to*/, Cells<T>* before, const T* from) {
    *before = held_;
    held_ = *reinterpret_cast<const Cells<T>*>(from);
  }
  __device__ __forceinline__ void each(Cells<T>* /*to*/, Cells<T>* before, const T* row,
                                       const int (&columns)[Cells<T>::size]) {
    *before = held_;
#pragma unroll
    for (int c = 0; c < Cells<T>::size; ++c) held_.v[c] = row[columns[c]];
  }

 private:
  Cells<T> held_ = {};
};
__device__ __forceinline__ void close_row() {}
template <int Newest>
__device__ __forceinline__ void await_rows() {
  static_assert(Newest > 0, "the newest row is in registers");
}
#endif

}  // namespace quoin::hip
