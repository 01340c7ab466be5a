# Used by the project itself and, installed, by every plugin built against the SDK.

# Of kernels that check others and need not be fast: without forced inlining and unrolling they compile in a third of the
# time. kernels/loops.hpp does the same.
set(QUOIN_PLAIN_KERNELS -DQN_CALL=inline -DQN_UNROLL=)

# Compiler options that everything of Quoin is built with: warnings are errors, and no compiler may
# contract a*b+c on its own, because every backend must round alike.
function(quoin_compile_options target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion
    -Wno-sign-conversion -Werror -ffp-contract=off>)
  # GCC 12 warns of overlapping copies inside "text" + std::string where there are none (GCC bug 105651).
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)
  # GCC 12's library calls what it declares deprecated itself (get_temporary_buffer), which Clang says of our lines.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-deprecated-declarations>)
  # After the build type's flags: quick to compile, with assertions, and lines in the traces. What a tree builds without
  # sanitizers has the same commands as in any other, so that a compiler cache knows it.
  if(QUOIN_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${QUOIN_SANITIZE} -fno-sanitize-recover=all
      -fno-omit-frame-pointer -O0 -g1 -UNDEBUG)
    # The check of function types compares names that a plugin keeps to itself.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-fno-sanitize=function>)
    target_compile_options(${target} PRIVATE ${QUOIN_PLAIN_KERNELS})
    target_link_options(${target} PRIVATE -fsanitize=${QUOIN_SANITIZE})
  endif()
endfunction()

# quoin_add_plugin(NAME SOURCE...): the plugin NAME.so. It exports one symbol and keeps its own
# copies of everything inline, so that plugins of different compilers live together in one process. A project that says
# nothing of its build type is built for release: kernels that are not optimised take many times as long.
function(quoin_add_plugin name)
  get_property(configurations GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(NOT CMAKE_BUILD_TYPE AND NOT configurations)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  add_library(quoin_plugin_${name} MODULE ${ARGN})
  target_link_libraries(quoin_plugin_${name} PRIVATE Quoin::sdk)
  quoin_compile_options(quoin_plugin_${name})
  target_link_options(quoin_plugin_${name} PRIVATE LINKER:-Bsymbolic
    LINKER:--version-script=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/QuoinPlugin.map)
  # The loader refuses what others may write, which is what a umask of 002 makes of it.
  add_custom_command(TARGET quoin_plugin_${name} POST_BUILD
    COMMAND chmod go-w $<TARGET_FILE:quoin_plugin_${name}> $<TARGET_FILE_DIR:quoin_plugin_${name}>)
  set_target_properties(quoin_plugin_${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${QUOIN_PLUGIN_PREFIX}${name} SUFFIX .so
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON CXX_EXTENSIONS OFF)
  if(CMAKE_LIBRARY_OUTPUT_DIRECTORY)
    set_target_properties(quoin_plugin_${name} PROPERTIES
      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/quoin/plugins)
  endif()
  include(GNUInstallDirs)
  install(TARGETS quoin_plugin_${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/quoin/plugins COMPONENT ${name})
endfunction()
