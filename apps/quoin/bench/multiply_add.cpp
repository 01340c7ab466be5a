#include "bench/multiply_add.hpp"

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace quoin::bench {
namespace {

constexpr int chains = 12;  // hide the latency of two pipes, and fit into the 16 registers of AVX2
constexpr double flops = 1U << 29U;

template <int Bytes>
struct Vector {
  typedef double type __attribute__((vector_size(Bytes)));  // NOLINT(modernize-use-using): GCC wants it here
};

/// Runs to a fixed point, so that no value grows or becomes subnormal. Contracted to fused multiply-adds where the
/// target has them (see CMakeLists.txt).
template <int Bytes>
[[gnu::always_inline]] inline double run_chains(double factor, double summand) {
  using Lanes = typename Vector<Bytes>::type;
  constexpr double flops_a_round = 2.0 * chains * Bytes / sizeof(double);
  Lanes x[chains];  // NOLINT(modernize-avoid-c-arrays): registers
  for (int k = 0; k < chains; ++k) x[k] = Lanes{} + k;
  for (auto rounds = static_cast<std::int64_t>(flops / flops_a_round); rounds > 0; --rounds) {
#pragma GCC unroll 12
    for (Lanes& one : x) one = one * factor + summand;
  }
  Lanes sum{};
  for (const Lanes& one : x) sum += one;
  return sum[0];
}

#if defined(__x86_64__)
[[gnu::target("arch=x86-64-v4")]] double run_v4(double factor, double summand) {
  return run_chains<64>(factor, summand);
}
[[gnu::target("arch=x86-64-v3")]] double run_v3(double factor, double summand) {
  return run_chains<32>(factor, summand);
}
double run(double factor, double summand) {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) return run_v4(factor, summand);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return run_v3(factor, summand);
  return run_chains<16>(factor, summand);
}
#else
double run(double factor, double summand) { return run_chains<16>(factor, summand); }
#endif

}  // namespace

double multiply_add_rate(unsigned threads) {
  const volatile double factor = 0.999;  // unknown to the compiler, as is who reads the result
  const volatile double summand = 1e-3;
  const auto work = [&] { [[maybe_unused]] const volatile double result = run(factor, summand); };
  const auto started = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> others;
    for (unsigned k = 1; k < threads; ++k) others.emplace_back(work);
    work();
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  return flops * threads / seconds.count();
}

}  // namespace quoin::bench
