# SPDX-License-Identifier: Apache-2.0
# `cmake --build BUILD_FOLDER --target package`: a Debian package of what `cmake --install` installs.
# One for any host of this architecture is built with -DLOCKSTEP_NATIVE=OFF. With it the compiler
# uses all instructions of this host; the package is then called lockstep-native.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lockstep)
if(LOCKSTEP_NATIVE)
  set(CPACK_PACKAGE_NAME lockstep-native)
  set(CPACK_DEBIAN_PACKAGE_CONFLICTS lockstep)
endif()
set(CPACK_PACKAGE_CONTACT "The Lockstep authors <lockstep@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "emulator of a multicomputer, for collective communication")
set(CPACK_PACKAGE_DESCRIPTION
    "Lockstep runs algorithms of collective communication on an emulated\n\
 multicomputer: every node of an interconnection network is a virtual\n\
 processor, and every message is moved and verified. The package has the\n\
 program, a library and headers for programs of your own.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Packages that programs of one's own are compiled with; the last one converts plots to PDF and PNG.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "g++, cmake, libtbb-dev, libboost-dev, libfmt-dev, libpugixml-dev, zlib1g-dev, librsvg2-bin")
include(CPack)

# Debian looks for it under the name of the package.
set(copyright_folders lockstep ${CPACK_PACKAGE_NAME})
list(REMOVE_DUPLICATES copyright_folders)
file(READ ${PROJECT_SOURCE_DIR}/LICENSE licence)
file(WRITE ${PROJECT_BINARY_DIR}/copyright "Copyright: The Lockstep authors\n\n${licence}")
foreach(folder ${copyright_folders})
  install(FILES ${PROJECT_BINARY_DIR}/copyright
          DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${folder})
endforeach()
