# Configures where a package is missing (VERSION is empty) or too old, and checks that one message says what to do.
set(folder "${WORK}/lib/cmake/${PACKAGE}")
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
if(VERSION)
  file(WRITE "${folder}/${PACKAGE}Config.cmake" "message(FATAL_ERROR \"an old ${PACKAGE} was loaded\")\n")
  file(WRITE "${folder}/${PACKAGE}ConfigVersion.cmake"
    "set(PACKAGE_VERSION ${VERSION})\nset(PACKAGE_VERSION_COMPATIBLE FALSE)\n")
  set(found "found version ${VERSION} \\(.*/${PACKAGE}Config.cmake\\)")
  set(arguments -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF
    "-DCMAKE_PREFIX_PATH=${WORK}")
else()
  set(found "none was found")
  set(arguments "-DCMAKE_DISABLE_FIND_PACKAGE_${PACKAGE}=ON")
endif()
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}/build" -G "${GENERATOR}" "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}"
    "-DCMAKE_C_COMPILER=${C_COMPILER}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" ${arguments} ${OPTIONS}
  RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE messages)
if(status EQUAL 0)
  message(FATAL_ERROR "it configured without ${PACKAGE}")
endif()
string(REGEX REPLACE "[ \n]+" " " messages "${messages}")
string(REGEX MATCHALL "CMake (Error|Warning)" all "${messages}")
list(LENGTH all count)
if(NOT count EQUAL 1 OR NOT messages MATCHES
    "Spanwise needs ${PACKAGE} ${MINIMUM} or newer with its development files; ${found}. Install it, or set ${PACKAGE}_DIR")
  message(FATAL_ERROR "${count} messages:\n${messages}")
endif()
