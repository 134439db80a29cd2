# How a Python wheel is laid out and linked: one folder, the package, with its modules and the libraries that they need.
# Those of VTK are in the package of VTK's wheel, beside it (SpanwiseModules.cmake).
set(CMAKE_INSTALL_LIBDIR spanwise)
set(SPANWISE_PYTHON_DESTINATION .)
set(SPANWISE_COMPONENT_PER_MODULE OFF) # "runtime" and "python" are in the wheel
set(CMAKE_PLATFORM_NO_VERSIONED_SONAME ON) # an archive has no links: each would be another copy of the library
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND SPANWISE_BUNDLED_KOKKOS)
  # Otherwise what inline functions keep is one in the process: of our Kokkos, and of another that another wheel brings.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>")
endif()
