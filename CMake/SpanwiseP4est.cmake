# The target SpanwiseP4est, if p4est is found with the MPI that it was built with: a peer of levels in tests and
# benchmarks, which nothing else needs.
find_library(SPANWISE_P4EST_LIBRARY p4est)
find_library(SPANWISE_SC_LIBRARY sc)
find_path(SPANWISE_P4EST_INCLUDE p8est_extended.h)
if(SPANWISE_P4EST_LIBRARY AND SPANWISE_SC_LIBRARY AND SPANWISE_P4EST_INCLUDE AND MPI_CXX_FOUND)
  add_library(SpanwiseP4est INTERFACE)
  target_include_directories(SpanwiseP4est SYSTEM INTERFACE "${SPANWISE_P4EST_INCLUDE}")
  target_link_libraries(SpanwiseP4est INTERFACE "${SPANWISE_P4EST_LIBRARY}" "${SPANWISE_SC_LIBRARY}" MPI::MPI_CXX)
else()
  message(STATUS "p4est was not found; it is left out as a peer")
endif()
