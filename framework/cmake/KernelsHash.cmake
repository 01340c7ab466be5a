# quoin_kernels_hash(HEADER FILE...): a header that defines QUOIN_KERNELS_HASH, the hash of what decides the bits of kernels
# and the order of their arguments: bodies, skeletons and the catalogue. A plugin built from others is refused. It is a
# header, so that only what uses the hash is compiled anew.
function(quoin_kernels_hash header)
  set(text "")
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(SHA256 ${file} one)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    string(APPEND text "${file} ${one}\n")
  endforeach()
  string(SHA256 all "${text}")
  file(CONFIGURE OUTPUT ${header} CONTENT "#pragma once\n#define QUOIN_KERNELS_HASH \"@all@\"\n" @ONLY)
endfunction()
