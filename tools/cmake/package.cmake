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
# What programs of one's own are compiled with.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, libtbb-dev, libboost-dev, libfmt-dev, libpugixml-dev, zlib1g-dev")
include(CPack)
