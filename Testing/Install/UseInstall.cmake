# Installs Spanwise to a folder, builds an example against it, runs the example there.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGV}")
  endif()
endfunction()

set(prefix "${WORK}/prefix")
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
run("${CMAKE_COMMAND}" --install "${SPANWISE_BUILD}" --prefix "${prefix}")
run("${CMAKE_COMMAND}" -S "${EXAMPLE}" -B "${WORK}/build" -G "${GENERATOR}" "-DCMAKE_PREFIX_PATH=${prefix}"
  "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}" "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}"
  "-DKokkos_DIR=${KOKKOS_DIR}")
run("${CMAKE_COMMAND}" --build "${WORK}/build")
execute_process(COMMAND "${WORK}/build/${NAME}" WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${NAME} ended with ${status}")
endif()
