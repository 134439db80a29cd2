# Configures with a Kokkos that is a static library, as it is built by default, and checks that one message says why that
# does not do and what does.
set(folder "${WORK}/lib/cmake/Kokkos")
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${folder}")
file(WRITE "${folder}/KokkosConfig.cmake" "add_library(Kokkos::kokkoscore STATIC IMPORTED)\n")
file(WRITE "${folder}/KokkosConfigVersion.cmake" "set(PACKAGE_VERSION_COMPATIBLE TRUE)\n")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}/build" -G "${GENERATOR}" "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}"
    "-DCMAKE_C_COMPILER=${C_COMPILER}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_PREFIX_PATH=${WORK}"
    -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF
  RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE messages)
if(status EQUAL 0)
  message(FATAL_ERROR "it configured with a static Kokkos")
endif()
string(REGEX REPLACE "[ \n]+" " " messages "${messages}")
string(REGEX MATCHALL "CMake (Error|Warning)" all "${messages}")
list(LENGTH all count)
if(NOT count EQUAL 1 OR NOT messages MATCHES
    "Kokkos in .*/lib/cmake/Kokkos is a static library: .* Build Kokkos with -DBUILD_SHARED_LIBS=ON, or Spanwise with")
  message(FATAL_ERROR "${count} messages:\n${messages}")
endif()
