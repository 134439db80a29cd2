# Installation: the CMake package and documents; targets and headers install themselves. CPack makes an archive of all,
# and a Debian package of each part that people want alone.
include(CMakePackageConfigHelpers)
include(SpanwiseOwner)
set(spanwise_cmake_destination "${CMAKE_INSTALL_LIBDIR}/cmake/Spanwise")

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/CMake/SpanwiseConfig.cmake.in" "${CMAKE_BINARY_DIR}/SpanwiseConfig.cmake"
  INSTALL_DESTINATION "${spanwise_cmake_destination}")
write_basic_package_version_file("${CMAKE_BINARY_DIR}/SpanwiseConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${CMAKE_BINARY_DIR}/SpanwiseConfig.cmake"
  "${CMAKE_BINARY_DIR}/SpanwiseConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/CMake/DebianKokkos.cmake"
  "${PROJECT_SOURCE_DIR}/CMake/DebianPackage.cmake"
  DESTINATION "${spanwise_cmake_destination}" COMPONENT development)

# Documents, laid out as in the sources, so that their links hold.
install(FILES LICENSE README.md CHANGELOG.md CITATION.cff CODE_OF_CONDUCT.md CONTRIBUTING.md SECURITY.md
  DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT documents)
install(DIRECTORY Documentation Examples Data Packaging DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT documents
  PATTERN "__pycache__" EXCLUDE PATTERN "Documentation/Site" EXCLUDE)

set(CPACK_PACKAGE_NAME spanwise)
set(CPACK_PACKAGE_VENDOR "The Spanwise authors")
set(CPACK_PACKAGE_CONTACT "${SPANWISE_CONTACT}")
if(NOT SPANWISE_CONTACT)
  set(CPACK_PACKAGE_CONTACT "The Spanwise authors") # a package has to say something
endif()
set(CPACK_PACKAGE_HOMEPAGE_URL "${SPANWISE_HOMEPAGE}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION
  "Huge voxel sets, adaptive grids, fronts and particles in ParaView, VTK, Python and C++: set algebra, morphology,
connected components, AMR, arrival times, N-body sums, compressible and lattice Boltzmann flow.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_GENERATOR TGZ)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(DPKG_SHLIBDEPS)
  list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")

# spanwise_debian_package(group name "description" SECTION section [DEPENDS packages] [RECOMMENDS packages]): what is
# in a Debian package of its own. The licence of each lies where Debian looks for it.
function(spanwise_debian_package group name description)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "SECTION;DEPENDS;RECOMMENDS" "")
  string(TOUPPER "${group}" variable)
  set(CPACK_DEBIAN_${variable}_PACKAGE_NAME "${name}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${variable}_PACKAGE_DEPENDS "${arg_DEPENDS}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${variable}_PACKAGE_RECOMMENDS "${arg_RECOMMENDS}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${variable}_PACKAGE_SECTION "${arg_SECTION}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${variable}_DESCRIPTION "${description}\n${CPACK_PACKAGE_DESCRIPTION}" PARENT_SCOPE)
  set(spanwise_groups ${spanwise_groups} ${group} PARENT_SCOPE)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" RENAME copyright DESTINATION "share/doc/${name}"
    COMPONENT ${group}_copyright EXCLUDE_FROM_ALL)
endfunction()

set(spanwise_library "libspanwise${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
set(same_library "${spanwise_library} (= ${PROJECT_VERSION})")
spanwise_debian_package(library ${spanwise_library} "Libraries of Spanwise: the core, and VTK's modules"
  SECTION libs)
spanwise_debian_package(development libspanwise-dev "Headers and the CMake package of Spanwise"
  SECTION libdevel DEPENDS "${same_library}, libkokkos-dev, libhwy-dev" RECOMMENDS "libvtk9-dev")
spanwise_debian_package(documents spanwise-doc "Pages, examples and scripts that make data for Spanwise"
  SECTION doc)
if(SPANWISE_VTK)
  # The Python package is for the Python that VTK was built with.
  math(EXPR next_minor "${Python3_VERSION_MINOR} + 1")
  set(python_depends "python3 (>= ${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}~), \
python3 (<< ${Python3_VERSION_MAJOR}.${next_minor}~), python3-vtk9, python3-numpy")
  spanwise_debian_package(python python3-spanwise "Spanwise in Python: sets of intervals for VTK"
    SECTION python DEPENDS "${same_library}, ${python_depends}")
  spanwise_debian_package(programs spanwise "Programs of Spanwise: flow around obstacles and through pores"
    SECTION science DEPENDS "${same_library}" RECOMMENDS "spanwise-doc")
endif()
if(SPANWISE_PARAVIEW)
  spanwise_debian_package(plugin paraview-spanwise "The plugin of Spanwise for ParaView"
    SECTION science DEPENDS "${same_library}, paraview" RECOMMENDS "python3-spanwise, python3-paraview, spanwise-doc")
  # Debian's ParaView lists the plugins of this folder: it knows them by their names.
  set(plugins "${CMAKE_INSTALL_LIBDIR}/${PARAVIEW_PLUGIN_SUBDIR}")
  install(CODE "set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/paraview/plugins\")
    file(MAKE_DIRECTORY \"\${folder}\")
    foreach(name Spanwise SpanwiseServer)
      file(CREATE_LINK \"../../../${plugins}/\${name}\" \"\${folder}/\${name}\" SYMBOLIC)
    endforeach()"
    COMPONENT plugin_debian EXCLUDE_FROM_ALL)
endif()
include(CPack)

foreach(group IN LISTS spanwise_groups)
  cpack_add_component_group(${group})
endforeach()
get_cmake_property(components COMPONENTS)
foreach(component IN LISTS components)
  if(component MATCHES "^(.*)_(copyright|debian)$")
    set(group "${CMAKE_MATCH_1}")
  elseif(component MATCHES "^Unspecified$|^(Spanwise::|spanwise)(Server|Representations)(Python)?-(runtime|python)$")
    set(group plugin) # ParaView gives the plugin itself no component
  elseif(component MATCHES "development$")
    set(group development)
  elseif(component MATCHES "python$")
    set(group python)
  elseif(component MATCHES "^(documents|programs)$")
    set(group ${component})
  elseif(component MATCHES "runtime$")
    set(group library)
  else()
    message(FATAL_ERROR "the install component '${component}' belongs to no package")
  endif()
  cpack_add_component(${component} GROUP ${group})
endforeach()
