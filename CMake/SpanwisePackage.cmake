# Installation: libraries, headers, the CMake package, and archives by CPack.
include(CMakePackageConfigHelpers)
set(spanwise_cmake_destination "${CMAKE_INSTALL_LIBDIR}/cmake/Spanwise")

install(EXPORT SpanwiseCore NAMESPACE Spanwise:: FILE SpanwiseCore-targets.cmake
  DESTINATION "${spanwise_cmake_destination}")
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/CMake/SpanwiseConfig.cmake.in" "${CMAKE_BINARY_DIR}/SpanwiseConfig.cmake"
  INSTALL_DESTINATION "${spanwise_cmake_destination}")
write_basic_package_version_file("${CMAKE_BINARY_DIR}/SpanwiseConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${CMAKE_BINARY_DIR}/SpanwiseConfig.cmake"
  "${CMAKE_BINARY_DIR}/SpanwiseConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/CMake/DebianKokkos.cmake"
  "${PROJECT_SOURCE_DIR}/CMake/DebianPackage.cmake"
  DESTINATION "${spanwise_cmake_destination}")

set(CPACK_PACKAGE_NAME spanwise)
set(CPACK_PACKAGE_VENDOR "The Spanwise authors")
set(CPACK_PACKAGE_CONTACT "The Spanwise authors <spanwise@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_GENERATOR "TGZ;DEB")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")
include(CPack)
