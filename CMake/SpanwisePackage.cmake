# Installation: the CMake package and documents; targets and headers install themselves. Archives by CPack.
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

# Documents, laid out as in the sources, so that their links hold; the licence also under the name that Debian looks for.
install(FILES LICENSE README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES LICENSE RENAME copyright DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY Documentation Examples Data DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  PATTERN "__pycache__" EXCLUDE)

set(CPACK_PACKAGE_NAME spanwise)
set(CPACK_PACKAGE_VENDOR "The Spanwise authors")
set(CPACK_PACKAGE_CONTACT "The Spanwise authors <spanwise@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION
  "Sets of cells as intervals in compressed rows: made from shapes, images, polygons, surfaces and functions, combined,
written, read, and shown as real unstructured grids. Libraries, headers, the Python package and the ParaView plugin.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_GENERATOR TGZ)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(DPKG_SHLIBDEPS)
  list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")
if(SPANWISE_VTK)
  # The Python package is for the Python that VTK was built with.
  math(EXPR next_minor "${Python3_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3 (>= ${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}~), \
python3 (<< ${Python3_VERSION_MAJOR}.${next_minor}~), python3-vtk9, python3-numpy")
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-paraview")
endif()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libkokkos-dev, libvtk9-dev")
include(CPack)
