# The target SpanwiseOpenVdb, if OpenVDB is found with TBB and Imath, which its headers need: a peer in tests and
# benchmarks, which nothing else needs. OpenVDB keeps its own CMake module where find_package does not look.
find_package(TBB QUIET)
find_package(Imath QUIET CONFIG)
find_library(SPANWISE_OPENVDB_LIBRARY openvdb)
find_path(SPANWISE_OPENVDB_INCLUDE openvdb/openvdb.h)
if(SPANWISE_OPENVDB_LIBRARY AND SPANWISE_OPENVDB_INCLUDE AND TARGET TBB::tbb AND TARGET Imath::Imath)
  add_library(SpanwiseOpenVdb INTERFACE)
  target_include_directories(SpanwiseOpenVdb SYSTEM INTERFACE "${SPANWISE_OPENVDB_INCLUDE}")
  target_link_libraries(SpanwiseOpenVdb INTERFACE "${SPANWISE_OPENVDB_LIBRARY}" TBB::tbb Imath::Imath)
else()
  message(STATUS "OpenVDB was not found; it is left out as a peer")
endif()
