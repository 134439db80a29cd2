# The packages that Spanwise builds on. Minimum versions stand here and nowhere else; HostProbe reads them too.
set(SPANWISE_MINIMUM_KOKKOS 4.6)
set(SPANWISE_MINIMUM_VTK 9.6)
set(SPANWISE_MINIMUM_PARAVIEW 6.1)

# Finds a package, or says which one is missing, which version is needed, and how to do without it.
macro(spanwise_find_package name version advice)
  find_package(${name} ${version} QUIET ${ARGN})
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "Spanwise needs ${name} ${version} or newer with its development files, and found "
      "${name}_DIR=${${name}_DIR} ${${name}_CONSIDERED_VERSIONS} ${${name}_NOT_FOUND_MESSAGE}. "
      "Set ${name}_DIR or CMAKE_PREFIX_PATH. ${advice}")
  endif()
endmacro()

include(DebianKokkos)
spanwise_find_package(Kokkos ${SPANWISE_MINIMUM_KOKKOS} "There is no build without Kokkos; ./dev brings one." CONFIG)

if(SPANWISE_PARAVIEW)
  include(DebianParaView)
  spanwise_find_package(ParaView ${SPANWISE_MINIMUM_PARAVIEW}
    "Turn SPANWISE_PARAVIEW off to build with a plain VTK." CONFIG
    COMPONENTS RemotingCore RemotingServerManager RemotingViews VTKExtensionsFiltersRendering
    OPTIONAL_COMPONENTS pqCore pqComponents pqApplicationComponents)
  if(PARAVIEW_USE_QT)
    find_package(LibXml2 REQUIRED) # Debian's ParaView targets name LibXml2 and Boost without finding them
    find_package(Boost REQUIRED CONFIG)
  endif()
  set(SPANWISE_VTK_HINTS PATHS "${ParaView_DIR}/vtk" NO_DEFAULT_PATH)
endif()
if(SPANWISE_VTK)
  # VTK's own HDF5 is the one to use: two flavours of it in a process do not go together.
  spanwise_find_package(VTK ${SPANWISE_MINIMUM_VTK} "Turn SPANWISE_VTK off to build Core alone." CONFIG
    ${SPANWISE_VTK_HINTS}
    COMPONENTS CommonCore CommonDataModel CommonExecutionModel FiltersCore FiltersGeneral FiltersGeometry FiltersSources
      IOLegacy IOParallelXML IOXML ParallelCore Python RenderingOpenGL2 WrappingPythonCore hdf5
    OPTIONAL_COMPONENTS IOHDF InteractionStyle ParallelMPI TestingRendering WrapHierarchy WrapPython
      WrapPythonInit)
endif()
