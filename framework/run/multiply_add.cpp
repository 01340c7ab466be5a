#include "run/multiply_add.hpp"

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace quoin {
namespace {

constexpr int chains = 12;  // hide the latency of two pipes, and fit into the 16 registers of AVX2
constexpr double flops = 1U << 29U;

template <class Real, int Bytes>
struct Vector {
  typedef Real type __attribute__((vector_size(Bytes)));  // NOLINT(modernize-use-using): GCC wants it here
};

/// Runs to a fixed point, so that no value grows or becomes subnormal. Contracted to fused multiply-adds where the
/// target has them (see CMakeLists.txt).
template <class Real, int Bytes>
[[gnu::always_inline]] inline Real run_chains(Real factor, Real summand) {
  using Lanes = typename Vector<Real, Bytes>::type;
  constexpr double flops_a_round = 2.0 * chains * Bytes / sizeof(Real);
  Lanes x[chains];  // NOLINT(modernize-avoid-c-arrays): registers
  for (int k = 0; k < chains; ++k) x[k] = Lanes{} + static_cast<Real>(k);
  for (auto rounds = static_cast<std::int64_t>(flops / flops_a_round); rounds > 0; --rounds) {
#pragma GCC unroll 12
    for (Lanes& one : x) one = one * factor + summand;
  }
  Lanes sum{};
  for (const Lanes& one : x) sum += one;
  return sum[0];
}

#if defined(__x86_64__)
template <class Real>
[[gnu::target("arch=x86-64-v4")]] Real run_v4(Real factor, Real summand) {
  return run_chains<Real, 64>(factor, summand);
}
template <class Real>
[[gnu::target("arch=x86-64-v3")]] Real run_v3(Real factor, Real summand) {
  return run_chains<Real, 32>(factor, summand);
}
#endif

template <class Real>
Real run(Real factor, Real summand) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) return run_v4(factor, summand);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return run_v3(factor, summand);
#endif
  return run_chains<Real, 16>(factor, summand);
}

template <class Real>
void work() {
  const volatile Real factor = static_cast<Real>(0.999);  // unknown to the compiler, as is who reads the result
  const volatile Real summand = static_cast<Real>(1e-3);
  [[maybe_unused]] const volatile Real result = run<Real>(factor, summand);
}

}  // namespace

double multiply_add_rate(unsigned threads, Precision precision) {
  const auto one = precision == Precision::float64 ? work<double> : work<float>;
  const auto started = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> others;
    for (unsigned k = 1; k < threads; ++k) others.emplace_back(one);
    one();
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  return flops * threads / seconds.count();
}

}  // namespace quoin
