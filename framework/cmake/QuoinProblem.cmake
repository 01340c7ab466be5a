# quoin_add_problem(NAME SOURCE... [BACKENDS BACKEND...] [WITH FAMILY...]): the problem NAME.so from the sources, one of
# which has QUOIN_PROBLEM, and the kernels in the folders of `kernels` beside the CMakeLists.txt. For these, each backend
# is built again with them, as NAME-BACKEND.so. BACKENDS: serial, openmp, opencl, hip; those for which there is a
# compiler unless given. A backend has Quoin's own families as well, but for dgcvs, which takes minutes to compile: name
# it after WITH where the problem uses it.
include(${CMAKE_CURRENT_LIST_DIR}/KernelFamilies.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/QuoinBackend.cmake)
function(quoin_add_problem name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "BACKENDS;WITH")
  set(families ${CMAKE_CURRENT_BINARY_DIR}/families)
  set(except dgcvs)
  list(REMOVE_ITEM except ${arg_WITH})
  include(${Quoin_HASHES})
  quoin_kernel_families(${families} ${Quoin_KERNELS} ${CMAKE_CURRENT_SOURCE_DIR}/kernels EXCEPT ${except})

  if(NOT CMAKE_LIBRARY_OUTPUT_DIRECTORY)
    set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  quoin_add_plugin(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(quoin_plugin_${name} PRIVATE Quoin::quoin)
  target_include_directories(quoin_plugin_${name} BEFORE PRIVATE ${families} ${CMAKE_CURRENT_SOURCE_DIR})

  set(backends serial openmp opencl hip)
  if(arg_BACKENDS)
    set(backends ${arg_BACKENDS})
  endif()
  foreach(backend IN LISTS backends)
    set(folder ${Quoin_BACKENDS}/${backend})
    set(compiler ${CMAKE_CXX_COMPILER})
    set(options)
    set(QUOIN_OPENMP_REASON "no compiler found")
    if(backend STREQUAL "openmp")
      include(${folder}/probe.cmake)
      set(compiler ${QUOIN_OPENMP_COMPILER})
    elseif(backend STREQUAL "hip")
      quoin_find_hip(${folder})
    endif()
    if(compiler)
      quoin_build_backend(quoin_plugin_${name}-${backend} ${folder} ${compiler} ${options}
        -DQUOIN_PLUGIN_PREFIX=${name}- -DQUOIN_FAMILIES=${families} -DQUOIN_FAMILIES_OF=${CMAKE_CURRENT_SOURCE_DIR})
      install(PROGRAMS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/quoin/plugins/${name}-${backend}.so OPTIONAL
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/quoin/plugins)
    elseif(arg_BACKENDS)
      message(FATAL_ERROR "${name}: the backend ${backend} cannot be built: ${QUOIN_OPENMP_REASON}")
    else()
      message(STATUS "${name}: without the backend ${backend}: ${QUOIN_OPENMP_REASON}")
    endif()
  endforeach()
endfunction()
