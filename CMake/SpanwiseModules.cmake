# The VTK modules, their Python package and, with ParaView, the plugin. One set of sources serves all three.

# VTK's own package of Python is vtkmodules; that of a wheel may have another name.
get_property(spanwise_vtk_package TARGET VTK::CommonCore PROPERTY INTERFACE_vtk_module_python_package)
if(SPANWISE_WHEEL) # packages are folders beside each other, with their libraries
  set(CMAKE_INSTALL_RPATH "$ORIGIN;$ORIGIN/../${spanwise_vtk_package}")
endif()

vtk_module_find_modules(spanwise_module_files
  "${PROJECT_SOURCE_DIR}/Filters" "${PROJECT_SOURCE_DIR}/Readers")
if(SPANWISE_PARAVIEW)
  # Modules that need ParaView's libraries stand beside the plugin.
  vtk_module_find_modules(spanwise_paraview_module_files "${PROJECT_SOURCE_DIR}/Plugin")
  list(APPEND spanwise_module_files ${spanwise_paraview_module_files})
endif()
if(NOT SPANWISE_SOLVERS)
  list(FILTER spanwise_module_files EXCLUDE REGEX "/(Eikonal|Flow|Lattice|NBody)/vtk.module$")
endif()

vtk_module_scan(
  MODULE_FILES ${spanwise_module_files}
  PROVIDES_MODULES spanwise_modules
  WANT_BY_DEFAULT ON
  HIDE_MODULES_FROM_CACHE ON
  ENABLE_TESTS OFF)
vtk_module_build(
  MODULES ${spanwise_modules}
  PACKAGE Spanwise
  VERSION "${PROJECT_VERSION}"
  SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}"
  INSTALL_EXPORT Spanwise
  INSTALL_HEADERS ON
  HEADERS_DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/spanwise"
  ARCHIVE_DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  LIBRARY_DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  RUNTIME_DESTINATION "${CMAKE_INSTALL_BINDIR}"
  CMAKE_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/Spanwise"
  TARGET_SPECIFIC_COMPONENTS ${SPANWISE_COMPONENT_PER_MODULE}
  ENABLE_WRAPPING ON)

spanwise_precompile(SpanwiseModuleHeaders
  LINK Kokkos::kokkos VTK::CommonDataModel
  HEADERS <Kokkos_Core.hpp> ${SPANWISE_STANDARD_HEADERS} <vtkCellData.h> <vtkDataSet.h> <vtkInformation.h> <vtkNew.h>
    <vtkObjectFactory.h> <vtkSmartPointer.h> <vtkUnstructuredGrid.h>)
set(modules ${spanwise_modules})
list(REMOVE_ITEM modules Spanwise::Runtime) # does not know VTK's data model, which those headers belong to
foreach(module IN LISTS modules)
  get_target_property(target "${module}" ALIASED_TARGET)
  spanwise_use_precompiled(${target} SpanwiseModuleHeaders)
endforeach()

vtk_module_wrap_python(
  MODULES ${spanwise_modules}
  TARGET Spanwise::PythonWrapped
  INSTALL_HEADERS OFF
  TARGET_SPECIFIC_COMPONENTS ${SPANWISE_COMPONENT_PER_MODULE}
  BUILD_STATIC OFF
  PYTHON_PACKAGE "spanwise"
  MODULE_DESTINATION "${SPANWISE_PYTHON_DESTINATION}")
file(GLOB spanwise_python_files CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/Filters/Python/spanwise/*.py" "${PROJECT_SOURCE_DIR}/Filters/Python/spanwise/py.typed")
set(spanwise_python_folder "${CMAKE_BINARY_DIR}/${SPANWISE_PYTHON_DESTINATION}/spanwise")
set(spanwise_python_copies)
foreach(file IN LISTS spanwise_python_files)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" text)
  string(REPLACE "vtkmodules" "${spanwise_vtk_package}" text "${text}")
  file(CONFIGURE OUTPUT "${spanwise_python_folder}/${name}" CONTENT "${text}" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  list(APPEND spanwise_python_copies "${spanwise_python_folder}/${name}")
endforeach()
file(CONFIGURE OUTPUT "${spanwise_python_folder}/_built_for.py" CONTENT
"\"\"\"The VTK that the compiled modules were built for, and how to get it.\"\"\"

PACKAGE = \"${spanwise_vtk_package}\"
VERSION = \"${VTK_VERSION}\"
REMEDY = \"${SPANWISE_VTK_REMEDY}\"
" @ONLY)
install(FILES ${spanwise_python_copies} "${spanwise_python_folder}/_built_for.py"
  DESTINATION "${SPANWISE_PYTHON_DESTINATION}/spanwise" COMPONENT python)

# What tells pip the version, and PyVista what to ask this package for. A wheel has its own.
if(NOT SKBUILD)
  set(metadata "${SPANWISE_PYTHON_DESTINATION}/spanwise-${PROJECT_VERSION}.dist-info")
  foreach(name IN ITEMS METADATA entry_points.txt)
    configure_file("${PROJECT_SOURCE_DIR}/Filters/Python/metadata/${name}"
      "${CMAKE_BINARY_DIR}/${metadata}/${name}" @ONLY)
  endforeach()
  install(DIRECTORY "${CMAKE_BINARY_DIR}/${metadata}" DESTINATION "${SPANWISE_PYTHON_DESTINATION}" COMPONENT python)
endif()

include(SpanwiseStubs)

if(SPANWISE_PARAVIEW)
  file(GLOB spanwise_proxies CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/XML/*.xml")
  if(NOT SPANWISE_SOLVERS)
    list(FILTER spanwise_proxies EXCLUDE REGEX "/(CompressibleFlow|Eikonal|LatticeFlow|NBody|SignedDistance)[^/]*$")
  endif()
  paraview_plugin_scan(
    PLUGIN_FILES
      "${PROJECT_SOURCE_DIR}/Plugin/paraview.plugin"
      "${PROJECT_SOURCE_DIR}/Plugin/ForPlainClients/paraview.plugin"
    PROVIDES_PLUGINS spanwise_plugins
    ENABLE_BY_DEFAULT ON
    HIDE_PLUGINS_FROM_CACHE ON)
  set(no_documentation ON)
  if(PARAVIEW_USE_QT)
    set(no_documentation OFF)
  endif()
  include(SpanwisePluginEntry)
  paraview_plugin_build(
    PLUGINS ${spanwise_plugins}
    PLUGINS_FILE_NAME "spanwise.xml"
    AUTOLOAD Spanwise
    DISABLE_XML_DOCUMENTATION ${no_documentation}
    LIBRARY_SUBDIRECTORY "${PARAVIEW_PLUGIN_SUBDIR}")
endif()

# What ParaView and Python need to find the plugin and the package in this build: a line for each variable.
set(environment "PYTHONPATH=${CMAKE_BINARY_DIR}/${SPANWISE_PYTHON_DESTINATION}\n")
if(SPANWISE_PARAVIEW)
  string(APPEND environment "PV_PLUGIN_CONFIG_FILE=${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${PARAVIEW_PLUGIN_SUBDIR}/spanwise.xml\n")
endif()
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/environment" CONTENT "${environment}")
