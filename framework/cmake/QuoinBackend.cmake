# quoin_build_backend(TARGET FOLDER COMPILER [-DOPTION=VALUE...]): the backend in that folder, a project of its own whose
# compiler may be another, built against the Quoin of this project; what it makes lies where this project's plugins lie.
include(ExternalProject)
function(quoin_build_backend target folder compiler)
  cmake_path(GET folder FILENAME name)
  ExternalProject_Add(${target}
    SOURCE_DIR ${folder}
    BINARY_DIR ${CMAKE_CURRENT_BINARY_DIR}/${name}
    CMAKE_ARGS
      -DCMAKE_CXX_COMPILER=${compiler}
      -DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}
      -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}
      -DCMAKE_EXPORT_COMPILE_COMMANDS=${CMAKE_EXPORT_COMPILE_COMMANDS}
      -DCMAKE_LIBRARY_OUTPUT_DIRECTORY=${CMAKE_LIBRARY_OUTPUT_DIRECTORY}
      -DQUOIN_SANITIZE=${QUOIN_SANITIZE}
      -DQuoin_DIR=${Quoin_DIR}
      ${ARGN}
    BUILD_ALWAYS ON
    INSTALL_COMMAND "")
endfunction()

# What hip.so is built by: its compiler in `compiler`, empty where there is none, and its options in `options`.
macro(quoin_find_hip folder)
  include(${folder}/platform.cmake)
  set(compiler ${QUOIN_HIP_COMPILER})
  set(options -DQUOIN_HIP_PLATFORM=${QUOIN_HIP_PLATFORM})
  if(DEFINED QUOIN_HIP_ARCHITECTURES)
    list(APPEND options -DQUOIN_HIP_ARCHITECTURES=${QUOIN_HIP_ARCHITECTURES})
  endif()
  if(QUOIN_HIP_COMPILER AND QUOIN_HIP_PLATFORM STREQUAL "nvidia")
    set(compiler ${CMAKE_CXX_COMPILER})
    list(APPEND options -DCMAKE_CUDA_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER})
  endif()
endmacro()
