# Kokkos compiled from source into the library of Core. A Python wheel brings everything but VTK with it, and a process
# must have one Kokkos: the modules take it from that library.
#
# FETCHCONTENT_SOURCE_DIR_KOKKOS names a folder that has the source already; otherwise it is downloaded.
cmake_minimum_required(VERSION 3.28) # FetchContent with EXCLUDE_FROM_ALL
include(FetchContent)
FetchContent_Declare(Kokkos
  URL https://github.com/kokkos/kokkos/archive/refs/tags/5.2.2.tar.gz
    https://deb.debian.org/debian/pool/main/k/kokkos/kokkos_5.2.2.orig.tar.gz
  URL_HASH SHA256=491fe02cb127559dd3c996f6693686f1eab00a53fd5c184e18e663896884175e # Debian's index of sources
  EXCLUDE_FROM_ALL)

function(spanwise_compile_kokkos)
  # Threads by OpenMP alone, as where Spanwise is tested: each kernel is compiled once.
  set(Kokkos_ENABLE_SERIAL OFF CACHE BOOL "")
  set(Kokkos_ENABLE_OPENMP ON CACHE BOOL "")
  # Position-independent and static: all of it goes into Core's library, where the modules see it.
  set(BUILD_SHARED_LIBS OFF)
  set(CMAKE_CXX_VISIBILITY_PRESET default)
  set(CMAKE_VISIBILITY_INLINES_HIDDEN OFF)
  FetchContent_MakeAvailable(Kokkos)
  get_directory_property(version DIRECTORY "${kokkos_SOURCE_DIR}" DEFINITION Kokkos_VERSION)
  if(version VERSION_LESS SPANWISE_MINIMUM_KOKKOS)
    message(FATAL_ERROR "Spanwise needs Kokkos ${SPANWISE_MINIMUM_KOKKOS} or newer; the source in ${kokkos_SOURCE_DIR} is "
      "that of ${version}. Set FETCHCONTENT_SOURCE_DIR_KOKKOS to a newer one.")
  endif()
endfunction()
spanwise_compile_kokkos()
