# quoin_kernel_families(OUTPUT FOLDER... [ONLY FAMILY...]): what is made from the families, the folders with a
# kernels.h in each FOLDER, which is called `kernels`, or from those named:
#   OUTPUT/kernels/families.h     their declarations, QUOIN_FAMILIES(K) and QUOIN_FAMILY_LIST(F), and for each
#                                 QN_FAMILY_<name>; for C99 and OpenCL C
#   OUTPUT/kernels/families.hpp   the same with their facts, for C++
#   OUTPUT/kernels/bodies.h       their bodies
#   OUTPUT/kernels/families_launch.hpp   what they launch by hand
#   OUTPUT/quoin/kernels_hash.h   the hash of each: of what decides the bits of its kernels and the order of their
#                                 arguments, which are its own files and those that all share. A header, so that only
#                                 what uses the hashes is compiled anew
#   OUTPUT/hashes.cmake           the same for CMake: a project beside an installed Quoin takes its families' from there
function(quoin_kernel_families output)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ONLY")
  foreach(name IN ITEMS families declarations all list facts bodies launch hashes object)
    set(${name} "")  # not the caller's
  endforeach()
  foreach(folder IN LISTS arg_UNPARSED_ARGUMENTS)
    file(GLOB found CONFIGURE_DEPENDS ${folder}/*/kernels.h)
    foreach(file IN LISTS found)
      cmake_path(GET file PARENT_PATH path)
      cmake_path(GET path FILENAME family)
      if(DEFINED path_${family})
        message(FATAL_ERROR "there are two families of kernels called ${family}: ${path_${family}} and ${path}")
      endif()
      set(path_${family} ${path})
      if(NOT DEFINED arg_ONLY OR family IN_LIST arg_ONLY)
        list(APPEND families ${family})
      endif()
    endforeach()
  endforeach()
  list(SORT families)

  if(NOT DEFINED QUOIN_HASH_OF_ALL)
    quoin_hash_of_shared(QUOIN_HASH_OF_ALL ${arg_UNPARSED_ARGUMENTS})
  endif()
  set(cmake "set(QUOIN_HASH_OF_ALL ${QUOIN_HASH_OF_ALL})\n")
  foreach(family IN LISTS families)
    string(TOUPPER ${family} upper)
    string(APPEND declarations "#include \"kernels/${family}/kernels.h\"\n")
    string(APPEND all " ${upper}_KERNELS(K)")
    string(APPEND list " F(${family}, ${upper}_KERNELS)")
    string(APPEND declarations "#define QN_FAMILY_${family}\n")
    foreach(part IN ITEMS facts.hpp bodies.h launch.hpp)
      if(EXISTS ${path_${family}}/${part})
        string(REGEX REPLACE "\\..*" "" name ${part})
        string(APPEND ${name} "#include \"kernels/${family}/${part}\"\n")
      endif()
    endforeach()
    if(NOT DEFINED QUOIN_HASH_OF_${family})
      file(GLOB_RECURSE files CONFIGURE_DEPENDS ${path_${family}}/*.h ${path_${family}}/*.hpp)
      quoin_hash_of_files(QUOIN_HASH_OF_${family} "${QUOIN_HASH_OF_ALL}\n" ${path_${family}} ${files})
    endif()
    string(APPEND hashes "#define QUOIN_HASH_OF_${family} \"${QUOIN_HASH_OF_${family}}\"\n")
    string(APPEND object "\",\\\"${family}\\\":\\\"\" QUOIN_HASH_OF_${family} \"\\\"\" ")
    string(APPEND cmake "set(QUOIN_HASH_OF_${family} ${QUOIN_HASH_OF_${family}})\n")
  endforeach()
  string(REGEX REPLACE "^\"," "\"" object "${object}")

  set(note "/* Made by KernelFamilies.cmake. */\n")
  file(CONFIGURE OUTPUT ${output}/kernels/families.h @ONLY CONTENT "${note}#include \"kernels/declare.h\"\n\
${declarations}#define QUOIN_FAMILIES(K)${all}\n#define QUOIN_FAMILY_LIST(F)${list}\n")
  file(CONFIGURE OUTPUT ${output}/kernels/families.hpp @ONLY CONTENT
    "#pragma once\n${note}${facts}#include \"kernels/families.h\"\n")
  file(CONFIGURE OUTPUT ${output}/kernels/bodies.h @ONLY CONTENT
    "${note}#include \"kernels/order.h\"\n${bodies}")
  file(CONFIGURE OUTPUT ${output}/kernels/families_launch.hpp @ONLY CONTENT "#pragma once\n${note}${launch}")
  file(CONFIGURE OUTPUT ${output}/quoin/kernels_hash.h @ONLY CONTENT "#pragma once\n${note}${hashes}\
/* The `kernels` of a manifest: what a plugin was built from. */\n#define QUOIN_KERNELS \"{\" ${object}\"}\"\n")
  file(CONFIGURE OUTPUT ${output}/hashes.cmake @ONLY CONTENT "${cmake}")
endfunction()

# The hash of the text and of the files, whose names count relative to the base.
function(quoin_hash_of_files variable text base)
  foreach(file IN LISTS ARGN)
    if(file MATCHES "/oracle[^/]*$")  # they compare, and decide no bit
      continue()
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(SHA256 ${file} hash)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${base})
    string(APPEND text "${file} ${hash}\n")
  endforeach()
  string(SHA256 hash "${text}")
  set(${variable} ${hash} PARENT_SCOPE)
endfunction()

# That of what all families share: the dialects, the skeletons, and how declarations are read.
function(quoin_hash_of_shared variable folder)
  cmake_path(SET include NORMALIZE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../include/quoin)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.h ${folder}/*.hpp ${folder}/dialect/*)
  quoin_hash_of_files(hash "" ${folder} ${files} ${include}/catalogue.hpp ${include}/kernel_entry.hpp)
  set(${variable} ${hash} PARENT_SCOPE)
endfunction()
