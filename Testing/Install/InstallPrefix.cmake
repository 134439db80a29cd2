# Installs to a folder and moves that to PREFIX; checks that everything is there and that nothing knows where it was made.
include("${CMAKE_CURRENT_LIST_DIR}/Run.cmake")
file(REMOVE_RECURSE "${WORK}" "${PREFIX}")
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}")
file(RENAME "${WORK}" "${PREFIX}")

set(expected
  "${LIBRARIES}/libspanwiseCore.so"
  "${LIBRARIES}/cmake/Spanwise/SpanwiseConfig.cmake"
  include/spanwise/Core/Geometry/IntervalSet.hpp
  "${DOCUMENTS}/LICENSE"
  "${DOCUMENTS}/README.md"
  "${DOCUMENTS}/Documentation/Architecture.md"
  "${DOCUMENTS}/Documentation/Pictures/ocean.png"
  "${DOCUMENTS}/Examples/CoreFunctor/CoreFunctor.cpp")
if(VTK)
  list(APPEND expected
    "${LIBRARIES}/libspanwiseGeometry.so"
    include/spanwise/vtkSpanwiseSetAlgebra.h
    "${PYTHON}/spanwise/__init__.py"
    "${PYTHON}/spanwise/numpy_support.py"
    "${PYTHON}/spanwise/grid.py"
    "${PYTHON}/spanwise/py.typed"
    "${PYTHON}/spanwise-${VERSION}.dist-info/METADATA"
    "${PYTHON}/spanwise-${VERSION}.dist-info/entry_points.txt"
    "${DOCUMENTS}/Examples/Python/ocean.py"
    "${DOCUMENTS}/Data/README.md"
    "${DOCUMENTS}/Data/coastlines.py")
endif()
if(STUBS)
  list(APPEND expected "${PYTHON}/spanwise/spanwiseGeometry.pyi")
endif()
if(PARAVIEW)
  list(APPEND expected "${PLUGINS}/spanwise.xml" "${PLUGINS}/Spanwise/Spanwise.so" "${PLUGINS}/SpanwiseServer/SpanwiseServer.so")
endif()
foreach(file IN LISTS expected)
  if(NOT EXISTS "${PREFIX}/${file}")
    message(SEND_ERROR "not installed: ${file}")
  endif()
endforeach()

file(GLOB_RECURSE files RELATIVE "${PREFIX}" "${PREFIX}/*")
foreach(file IN LISTS files)
  if(file MATCHES "\\.so[.0-9]*$")
    set(path "")
    file(READ_ELF "${PREFIX}/${file}" RPATH path RUNPATH path)
    string(REGEX REPLACE "[$]ORIGIN[/.]*" "" outside "${path}")
    string(REGEX REPLACE "[:;]" "" outside "${outside}")
    if(NOT outside STREQUAL "")
      message(SEND_ERROR "${file} looks for libraries outside of the installation: ${path}")
    endif()
  elseif(file MATCHES "\\.(cmake|xml|hpp|h)$")
    file(READ "${PREFIX}/${file}" text)
    foreach(place "${BUILD}" "${SOURCE}/" "${WORK}")
      string(FIND "${text}" "${place}" found)
      if(NOT found EQUAL -1)
        message(SEND_ERROR "${file} names ${place}")
      endif()
    endforeach()
  elseif(file MATCHES "__pycache__")
    message(SEND_ERROR "should not be installed: ${file}")
  endif()
endforeach()
