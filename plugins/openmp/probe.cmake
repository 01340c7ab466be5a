# Sets QUOIN_OPENMP_COMPILER to a clang++-19 that builds target regions for the host as an offload device, or to
# nothing, with the reason in QUOIN_OPENMP_REASON.
set(QUOIN_OPENMP_COMPILER "")
find_program(QUOIN_CLANG clang++-19 DOC "The compiler of the openmp plugin")
if(NOT QUOIN_CLANG)
  set(QUOIN_OPENMP_REASON "no clang++-19 found")
  return()
endif()
set(probe ${CMAKE_CURRENT_BINARY_DIR}/openmp-probe)
file(WRITE ${probe}.cpp "#include <omp.h>
void region(int* p) {
#pragma omp target map(from : p[0 : 1])
  *p = omp_is_initial_device();
}
")
execute_process(
  COMMAND ${QUOIN_CLANG} -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -fPIC -shared ${probe}.cpp -o ${probe}.so
  RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE messages)
if(result EQUAL 0)
  set(QUOIN_OPENMP_COMPILER ${QUOIN_CLANG})
else()
  string(REGEX MATCH "[^\n]*error[^\n]*" QUOIN_OPENMP_REASON "${messages}")
  string(APPEND QUOIN_OPENMP_REASON
    " (packages clang-19 llvm-19 clang-tools-19 libomp-19-dev lld-19 make offloading work)")
endif()
