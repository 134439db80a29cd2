# The packages that Spanwise builds on. Minimum versions stand here and nowhere else; HostProbe reads them too.
set(SPANWISE_MINIMUM_KOKKOS 4.6)
set(SPANWISE_MINIMUM_VTK 9.6)
set(SPANWISE_MINIMUM_PARAVIEW 6.1)
set(SPANWISE_MINIMUM_GTEST 1.11)
set(SPANWISE_MINIMUM_BENCHMARK 1.7)
set(SPANWISE_MINIMUM_CLI11 2.3)
set(SPANWISE_MINIMUM_HIGHWAY 1.2)

# VTK's and ParaView's own CMake files are older than these policies.
set(CMAKE_POLICY_DEFAULT_CMP0167 NEW) # Boost comes with its own CMake files
set(CMAKE_POLICY_DEFAULT_CMP0174 OLD) # empty keywords

# spanwise_find_package(name version advice [argument...]): finds a package, or says in one message which one is
# missing, which version is needed, what was found instead, and what to do. The version may be empty: any will do.
macro(spanwise_find_package name version advice)
  find_package(${name} ${version} QUIET ${ARGN})
  if(NOT ${name}_FOUND)
    set(spanwise_needed "${name}")
    if(NOT "${version}" STREQUAL "")
      string(APPEND spanwise_needed " ${version} or newer")
    endif()
    set(spanwise_found "none was found")
    if(${name}_CONSIDERED_CONFIGS)
      list(JOIN ${name}_CONSIDERED_VERSIONS ", " spanwise_found)
      list(JOIN ${name}_CONSIDERED_CONFIGS ", " spanwise_configs)
      string(PREPEND spanwise_found "found version ")
      string(APPEND spanwise_found " (${spanwise_configs})")
    endif()
    if(${name}_NOT_FOUND_MESSAGE)
      string(APPEND spanwise_found ": ${${name}_NOT_FOUND_MESSAGE}")
    endif()
    message(FATAL_ERROR "Spanwise needs ${spanwise_needed} with its development files; ${spanwise_found}. "
      "Install it, or set ${name}_DIR or CMAKE_PREFIX_PATH to where it is. ${advice}")
  endif()
endmacro()

if(SPANWISE_BUNDLED_KOKKOS)
  include(BundledKokkos)
  set(kokkos_core kokkoscore)
else()
  include(DebianKokkos)
  spanwise_find_package(Kokkos ${SPANWISE_MINIMUM_KOKKOS} "There is no build without Kokkos; ./dev brings one." CONFIG)
  set(kokkos_core Kokkos::kokkoscore)
  get_target_property(kokkos_type ${kokkos_core} TYPE)
  if(BUILD_SHARED_LIBS AND kokkos_type STREQUAL STATIC_LIBRARY)
    message(FATAL_ERROR "Kokkos in ${Kokkos_DIR} is a static library: Spanwise's libraries and the programs that use "
      "them would have one each, and crash when they end. Build Kokkos with -DBUILD_SHARED_LIBS=ON, or Spanwise with "
      "-DBUILD_SHARED_LIBS=OFF.")
  endif()
endif()
# VTK writes a target's compile definitions into a file for each language, which must not differ; Kokkos defines
# KOKKOS_DEPENDENCE for C++ alone.
set_property(TARGET ${kokkos_core} PROPERTY INTERFACE_COMPILE_DEFINITIONS KOKKOS_DEPENDENCE)

# Of Highway headers are used, not the library. nvcc does not take its vectors.
set(SPANWISE_HIGHWAY OFF)
if(SPANWISE_SOLVERS AND NOT Kokkos_ENABLE_CUDA)
  spanwise_find_package(hwy ${SPANWISE_MINIMUM_HIGHWAY}
    "It is Google Highway (libhwy-dev). Turn SPANWISE_SOLVERS off to build without it." CONFIG)
  set(SPANWISE_HIGHWAY ON)
endif()

if(NOT SPANWISE_WHEEL) # which is to run elsewhere
  include(SpanwiseMetis)
endif()

if(SPANWISE_PARAVIEW)
  include(DebianParaView)
  spanwise_find_package(ParaView ${SPANWISE_MINIMUM_PARAVIEW}
    "Turn SPANWISE_PARAVIEW off to build with a plain VTK." CONFIG
    COMPONENTS RemotingCore RemotingServerManager RemotingViews VTKExtensionsFiltersRendering
    OPTIONAL_COMPONENTS pqCore pqComponents pqApplicationComponents)
  if(PARAVIEW_USE_QT)
    # Debian's ParaView targets name LibXml2 and Boost without finding them.
    spanwise_find_package(LibXml2 "" "ParaView's Qt components need it.")
    spanwise_find_package(Boost "" "ParaView's Qt components need it." CONFIG)
    spanwise_find_package(Qt6 "" "The dock needs it." COMPONENTS Widgets)
  endif()
  set(SPANWISE_VTK_HINTS PATHS "${ParaView_DIR}/vtk" NO_DEFAULT_PATH)
endif()

if(SPANWISE_VTK)
  include(SpanwiseBlosc)
  # What the vtk.module files name; whoever links our modules needs these. VTK's own HDF5 is the one to use: two flavours
  # of it in a process do not go together.
  set(SPANWISE_VTK_COMPONENTS CommonCore CommonDataModel CommonExecutionModel CommonMath CommonTransforms FiltersCore
    IOCore ParallelCore Python RenderingCore RenderingOpenGL2 hdf5 zlib)
  set(spanwise_test_components)
  set(spanwise_program_components IOGeometry IOParallelXML IOPLY IOXML)
  if(BUILD_TESTING)
    set(spanwise_test_components FiltersExtraction FiltersGeneral FiltersGeometry FiltersParallel FiltersParallelDIY2
      FiltersSources FiltersVerdict IOGeometry IOHDF IOLegacy IOParallelXML IOPLY IOXML TestingCore)
    set(spanwise_program_components)
  endif()
  spanwise_find_package(VTK ${SPANWISE_MINIMUM_VTK} "Turn SPANWISE_VTK off to build Core alone." CONFIG
    ${SPANWISE_VTK_HINTS}
    COMPONENTS ${SPANWISE_VTK_COMPONENTS} WrappingPythonCore ${spanwise_test_components}
    OPTIONAL_COMPONENTS ${spanwise_program_components} ParallelMPI)
endif()
if(SPANWISE_VTK OR BUILD_TESTING)
  spanwise_find_package(Python3 "" "The tests and the Python package need it." COMPONENTS Interpreter)
endif()

if(BUILD_TESTING)
  spanwise_find_package(GTest ${SPANWISE_MINIMUM_GTEST} "Turn BUILD_TESTING off to build without tests.")
endif()
if(SPANWISE_BENCHMARKS)
  spanwise_find_package(benchmark ${SPANWISE_MINIMUM_BENCHMARK} "Turn SPANWISE_BENCHMARKS off to build without them.")
  spanwise_find_package(CLI11 ${SPANWISE_MINIMUM_CLI11} "Turn SPANWISE_BENCHMARKS off to build without them." CONFIG)
endif()
if(BUILD_TESTING OR SPANWISE_BENCHMARKS)
  find_package(MPI QUIET COMPONENTS C CXX)
  if(NOT MPI_C_FOUND OR NOT MPI_CXX_FOUND)
    message(STATUS "MPI was not found: nothing is tested or measured on several ranks")
  endif()
  include(SpanwiseNccl)
  include(SpanwiseMeshb)
  include(SpanwiseOpenVdb)
  include(SpanwiseP4est)
endif()
