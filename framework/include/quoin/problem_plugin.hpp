#pragma once

// What a problem from outside is written against. It is a shared object built by quoin_add_problem() against an
// installed Quoin: a class that derives from quoin::Problem, the kernels of its own in a folder `kernels`, and in one
// source file, at global scope, once
//
//   QUOIN_PROBLEM(my_type(), "mine", "1.0.0")
//
// where my_type() makes a quoin::ProblemType called "mine". Quoin opens such an object before it reads a case. C++ lies
// between the two: an object that was built from other headers of Quoin, or other kernels, is refused unopened.

#include "conformance/declared.hpp"
#include "kernels/loops.hpp"
#include "quoin/interface_hash.h"
#include "quoin/kernels_hash.h"
#include "quoin/plugin_abi.h"
#include "quoin/problems.hpp"
#include "quoin/toolchain.h"

namespace quoin::sdk {

/// The kernels that this object is compiled with.
inline KernelSet compiled_kernels() {
  using namespace conformance;
  return {catalogue, QUOIN_KERNELS, catalogue_cost, [] { return by_kernel(RegisterOracles::all()); },
          [](DeviceUnderTest& bench, Cases& cases, const CatalogueEntry& entry, Precision precision) {
            return check_declared(bench, cases, entry, precision, kernels::launch_loops);
          }};
}

}  // namespace quoin::sdk

/// Registers TYPE, an expression of the type quoin::ProblemType, whose name is NAME.
// clang-format off
#define QUOIN_PROBLEM(TYPE, NAME, VERSION)                                                                           \
  __attribute__((used, section(QUOIN_MANIFEST_SECTION))) static const char quoin_manifest[] =                        \
      "{\"kind\":\"problem\",\"name\":\"" NAME "\",\"version\":\"" VERSION "\","                                     \
      "\"abi\":[" QUOIN_TEXT(QUOIN_ABI_MAJOR) "," QUOIN_TEXT(QUOIN_ABI_MINOR) "],"                                   \
      "\"toolchain\":\"" QUOIN_TOOLCHAIN "\",\"interface\":\"" QUOIN_INTERFACE_HASH "\","                            \
      "\"kernels\":" QUOIN_KERNELS "}";                                                                              \
  extern "C" __attribute__((visibility("default"))) void quoin_problem(quoin::ProblemPlugin* plugin) {               \
    *plugin = {TYPE, quoin::sdk::compiled_kernels()};                                                                \
  }
// clang-format on
