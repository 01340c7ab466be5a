#pragma once

// The subgroup dialect of HIP and CUDA: collective operations among lanes that run in lockstep, after the
// manner of Ginkgo's cooperative groups. Kernel text is a template over the class of its lanes, so that the
// same text runs on a device with Subgroup and on the host with LockstepLanes (kernels/dialect/lockstep.hpp).
//
// Every lane of the subgroup must reach a collective. A shuffle gives a lane the value of another one:
//   shuffle(v, lane)   of that lane             shuffle_xor(v, mask)   of lane ^ mask
//   shuffle_up(v, d)   of d lanes below         shuffle_down(v, d)     of d lanes above
// and its own where there is no such lane. any, all and ballot (bit k is lane k) are votes.

#include "kernels/dialect/cpp.hpp"

#if defined(__CUDACC__) || defined(__HIP__)

namespace quoin::kernels {
inline namespace QN_ISA {

/// `Size` adjacent work-items of a one-dimensional work-group, counted from its start: 2 to 64, a power of two,
/// at most as many as the device runs in lockstep.
template <int Size>
class Subgroup {
  static_assert(Size >= 2 && Size <= 64 && (Size & (Size - 1)) == 0);
#if defined(__AMDGCN_WAVEFRONT_SIZE)
  static_assert(Size <= __AMDGCN_WAVEFRONT_SIZE, "wider than a wavefront of this device");
#elif defined(__CUDA_ARCH__)
  static_assert(Size <= 32, "wider than a warp");
#endif

 public:
  static constexpr int size = Size;

  __device__ int lane() const { return static_cast<int>(threadIdx.x) & (Size - 1); }

#if defined(__HIP__)
  template <class T>
  __device__ T shuffle(T value, int source) const {
    return __shfl(value, source, Size);
  }
  template <class T>
  __device__ T shuffle_up(T value, int distance) const {
    return __shfl_up(value, static_cast<unsigned>(distance), Size);
  }
  template <class T>
  __device__ T shuffle_down(T value, int distance) const {
    return __shfl_down(value, static_cast<unsigned>(distance), Size);
  }
  template <class T>
  __device__ T shuffle_xor(T value, int mask) const {
    return __shfl_xor(value, mask, Size);
  }
  __device__ std::uint64_t ballot(bool vote) const { return (__ballot(vote) >> shift()) & members; }
#else
  template <class T>
  __device__ T shuffle(T value, int source) const {
    return __shfl_sync(participants(), value, source, Size);
  }
  template <class T>
  __device__ T shuffle_up(T value, int distance) const {
    return __shfl_up_sync(participants(), value, static_cast<unsigned>(distance), Size);
  }
  template <class T>
  __device__ T shuffle_down(T value, int distance) const {
    return __shfl_down_sync(participants(), value, static_cast<unsigned>(distance), Size);
  }
  template <class T>
  __device__ T shuffle_xor(T value, int mask) const {
    return __shfl_xor_sync(participants(), value, mask, Size);
  }
  __device__ std::uint64_t ballot(bool vote) const {
    return (__ballot_sync(participants(), vote) >> shift()) & members;
  }
#endif
  __device__ bool any(bool vote) const { return ballot(vote) != 0; }
  __device__ bool all(bool vote) const { return ballot(vote) == members; }

 private:
  static constexpr std::uint64_t members = ~std::uint64_t{0} >> (64 - Size);

  /// Where this subgroup starts in its warp or wavefront.
  __device__ int shift() const {
#if defined(__AMDGCN_WAVEFRONT_SIZE)
    constexpr int width = __AMDGCN_WAVEFRONT_SIZE;
#else
    constexpr int width = 32;
#endif
    return static_cast<int>(threadIdx.x) & (width - 1) & ~(Size - 1);
  }
  __device__ unsigned participants() const { return static_cast<unsigned>(members << shift()); }
};

}  // namespace QN_ISA
}  // namespace quoin::kernels

#endif
