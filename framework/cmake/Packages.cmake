# Debian packages: `cmake --build build --target package` makes quoin, quoin-dev, python3-quoin and one of each
# plugin that is built.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME quoin)
set(QUOIN_PACKAGER "the Quoin developers <quoin@example.org>" CACHE STRING "Who answers for the packages: name and address")

# quoin_packages(PLUGIN...): of those of these plugins that this tree builds.
function(quoin_packages)
  set(plugins)
  foreach(name ${ARGN})
    if(TARGET quoin_plugin_${name})
      list(APPEND plugins ${name})
    endif()
  endforeach()

  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_CONTACT ${QUOIN_PACKAGER})
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_COMPONENTS_ALL quoin dev python ${plugins})
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
  set(CPACK_DEBIAN_PACKAGE_SECTION math)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/framework/cmake/PackageFiles.cmake)

  set(CPACK_DEBIAN_QUOIN_PACKAGE_NAME quoin)
  set(control ${PROJECT_BINARY_DIR}/packages)  # CPack's own shlibs come with warnings of each plugin, which has no version
  file(WRITE ${control}/shlibs "libquoin ${PROJECT_VERSION_MAJOR} quoin (= ${PROJECT_VERSION})\n")
  file(WRITE ${control}/triggers "activate-noawait ldconfig\n")
  set(CPACK_DEBIAN_QUOIN_PACKAGE_CONTROL_EXTRA ${control}/shlibs ${control}/triggers)
  set(CPACK_DEBIAN_QUOIN_PACKAGE_RECOMMENDS quoin-serial)
  set(CPACK_COMPONENT_QUOIN_DESCRIPTION "One case file and one command solve Poisson's equation, conservation laws or
any sparse linear system, with the same bits on a core, on all cores, on GPUs
and on any number of processes. This package has the program, its library and
cases; backends come in packages of their own, quoin-serial for one core.")

  set(same_version "quoin (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_DEV_PACKAGE_NAME quoin-dev)
  set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${same_version}, g++, cmake, libspdlog-dev")
  set(CPACK_COMPONENT_DEV_DESCRIPTION "Headers and guides with which a folder of one's own becomes a backend, or a
problem with kernels that every backend runs.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-quoin)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${same_version}, python3 (>= 3.11), python3-numpy, python3-h5py")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS python3-xarray)
  file(WRITE ${control}/postinst "#!/bin/sh\nset -e\nif command -v py3compile >/dev/null; then\n"
    "  py3compile -p python3-quoin\nfi\n")
  file(WRITE ${control}/prerm "#!/bin/sh\nset -e\nif command -v py3clean >/dev/null; then\n"
    "  py3clean -p python3-quoin\nfi\n")
  file(CHMOD ${control}/postinst ${control}/prerm
    PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${control}/postinst ${control}/prerm)
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Quoin from Python: runs cases, with progress and exceptions that know line
and column, and reads fields, histories and checkpoints as NumPy arrays that
are the mapped files themselves; a notebook shows a run as pictures.")
  foreach(name ${plugins})
    string(TOUPPER ${name} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME quoin-${name})
    set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS ${same_version})
    set(CPACK_COMPONENT_${upper}_DESCRIPTION "The plugin ${name}. 'quoin list' shows what it finds on this machine.")
  endforeach()
  # The compiler's own folder, where its runtime for offload devices is and nothing else looks.
  set(CPACK_OVERRIDES_OPENMP "custom-library-search-path")
  include(CPack)
endfunction()
