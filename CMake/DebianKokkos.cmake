# Debian's libkokkos-dev 5.2 exports kokkosalgorithms and kokkossimd as static libraries that it does not ship: both are
# header-only. A copy of its CMake folder in the build tree declares them as interface libraries instead.
# This file can go when find_package(Kokkos) works there without it.
if(NOT Kokkos_DIR)
  file(GLOB debian_kokkos "/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/cmake/Kokkos")
  if(debian_kokkos AND NOT EXISTS "/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/libkokkossimd.a")
    file(READ "${debian_kokkos}/KokkosTargets.cmake" targets)
    if(targets MATCHES "Kokkos::kokkossimd STATIC IMPORTED")
      set(mended "${CMAKE_BINARY_DIR}/DebianKokkos")
      file(COPY "${debian_kokkos}/" DESTINATION "${mended}")
      string(REGEX REPLACE "Kokkos::(kokkosalgorithms|kokkossimd) STATIC IMPORTED"
        "Kokkos::\\1 INTERFACE IMPORTED" targets "${targets}")
      # The folder was moved, so the prefix can no longer be found by going up from it.
      string(REPLACE "if(_IMPORT_PREFIX STREQUAL \"/\")"
        "set(_IMPORT_PREFIX \"/usr\")\nif(_IMPORT_PREFIX STREQUAL \"/\")" targets "${targets}")
      file(WRITE "${mended}/KokkosTargets.cmake" "${targets}")
      file(READ "${mended}/KokkosTargets-none.cmake" locations)
      string(REGEX REPLACE "# Import target \"Kokkos::kokkosalgorithms\".*# Commands beyond" "# Commands beyond"
        locations "${locations}")
      file(WRITE "${mended}/KokkosTargets-none.cmake" "${locations}")
      set(Kokkos_DIR "${mended}" CACHE PATH "Kokkos's CMake folder" FORCE)
    endif()
  endif()
endif()
