# quoin_kernel_families(FOLDER OUTPUT): what is made from the families, the folders of FOLDER with a kernels.h:
#   OUTPUT/kernels/families.h     their declarations and QUOIN_FAMILIES(K), for C99 and OpenCL C
#   OUTPUT/kernels/families.hpp   the same with their facts, for C++
#   OUTPUT/kernels/bodies.h       their bodies
#   OUTPUT/kernels/families_launch.hpp   what they launch by hand
#   OUTPUT/quoin/kernels_hash.h   the hash of what decides the bits of kernels and the order of their arguments:
#                                 declarations, bodies, skeletons and the catalogue; a plugin built from others is
#                                 refused. It is a header, so that only what uses the hash is compiled anew
function(quoin_kernel_families folder output)
  file(GLOB families RELATIVE ${folder} CONFIGURE_DEPENDS ${folder}/*/kernels.h)
  list(SORT families)
  set(declarations "")
  set(all "")
  set(facts "")
  set(bodies "")
  set(launch "")
  foreach(family IN LISTS families)
    cmake_path(GET family PARENT_PATH family)
    string(TOUPPER ${family} upper)
    string(APPEND declarations "#include \"kernels/${family}/kernels.h\"\n")
    string(APPEND all " ${upper}_KERNELS(K)")
    foreach(part IN ITEMS facts.hpp bodies.h launch.hpp)
      if(EXISTS ${folder}/${family}/${part})
        string(REGEX REPLACE "\\..*" "" list ${part})
        string(APPEND ${list} "#include \"kernels/${family}/${part}\"\n")
      endif()
    endforeach()
  endforeach()
  set(note "/* Made by KernelFamilies.cmake. */\n")
  file(CONFIGURE OUTPUT ${output}/kernels/families.h @ONLY CONTENT
    "${note}#include \"kernels/declare.h\"\n${declarations}#define QUOIN_FAMILIES(K)${all}\n")
  file(CONFIGURE OUTPUT ${output}/kernels/families.hpp @ONLY CONTENT
    "#pragma once\n${note}${facts}#include \"kernels/families.h\"\n")
  file(CONFIGURE OUTPUT ${output}/kernels/bodies.h @ONLY CONTENT
    "${note}#include \"kernels/order.h\"\n${bodies}")
  file(CONFIGURE OUTPUT ${output}/kernels/families_launch.hpp @ONLY CONTENT "#pragma once\n${note}${launch}")

  set(include ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../include/quoin)
  file(GLOB_RECURSE hashed CONFIGURE_DEPENDS ${folder}/*.h ${folder}/*.hpp)
  set(text "")
  foreach(file IN LISTS hashed ITEMS ${include}/catalogue.hpp ${include}/kernel_entry.hpp)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(SHA256 ${file} one)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${folder})
    string(APPEND text "${file} ${one}\n")
  endforeach()
  string(SHA256 hash "${text}")
  file(CONFIGURE OUTPUT ${output}/quoin/kernels_hash.h @ONLY CONTENT
    "#pragma once\n#define QUOIN_KERNELS_HASH \"${hash}\"\n")
endfunction()
