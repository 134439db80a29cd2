# Builds the example with the test's name against the installation, and runs it: on RANKS ranks, if that is given.
include("${CMAKE_CURRENT_LIST_DIR}/Run.cmake")
get_filename_component(name "${WORK}" NAME)
file(REMOVE_RECURSE "${WORK}")
run("${CMAKE_COMMAND}" -S "${SOURCE}/Examples/${name}" -B "${WORK}" -G "${GENERATOR}" "-DCMAKE_PREFIX_PATH=${PREFIX}"
  "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}" "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}"
  "-DKokkos_DIR=${KOKKOS_DIR}")
run("${CMAKE_COMMAND}" --build "${WORK}")
set(launch)
if(RANKS)
  set(launch "${MPIEXEC}" "${NUMPROC_FLAG}" "${RANKS}")
endif()
run("${CMAKE_COMMAND}" -E chdir "${WORK}" ${launch} "./${name}")
