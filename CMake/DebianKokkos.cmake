# Debian's libkokkos-dev 5.2 exports kokkosalgorithms and kokkossimd as static libraries that it does not ship: both are
# header-only. A copy of its CMake folder in the build tree declares them as interface libraries instead.
# This file can go when find_package(Kokkos) works there without it.
include("${CMAKE_CURRENT_LIST_DIR}/DebianPackage.cmake")
spanwise_debian_folder(Kokkos ${SPANWISE_MINIMUM_KOKKOS} debian_kokkos)
if(debian_kokkos AND NOT EXISTS "/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/libkokkossimd.a")
  file(READ "${debian_kokkos}/KokkosTargets.cmake" targets)
  if(targets MATCHES "Kokkos::kokkossimd STATIC IMPORTED")
    file(COPY "${debian_kokkos}/" DESTINATION "${mended_Kokkos}")
    string(REGEX REPLACE "Kokkos::(kokkosalgorithms|kokkossimd) STATIC IMPORTED"
      "Kokkos::\\1 INTERFACE IMPORTED" targets "${targets}")
    # The folder was moved, so the prefix can no longer be found by going up from it.
    string(REPLACE "if(_IMPORT_PREFIX STREQUAL \"/\")"
      "set(_IMPORT_PREFIX \"/usr\")\nif(_IMPORT_PREFIX STREQUAL \"/\")" targets "${targets}")
    file(WRITE "${mended_Kokkos}/KokkosTargets.cmake" "${targets}")
    file(READ "${mended_Kokkos}/KokkosTargets-none.cmake" locations)
    string(REGEX REPLACE "# Import target \"Kokkos::kokkosalgorithms\".*# Commands beyond" "# Commands beyond"
      locations "${locations}")
    file(WRITE "${mended_Kokkos}/KokkosTargets-none.cmake" "${locations}")
    set(Kokkos_DIR "${mended_Kokkos}" CACHE PATH "The folder of Kokkos's CMake files" FORCE)
  endif()
endif()
