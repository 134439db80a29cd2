# SPANWISE_BLOSC_LIBRARY and SPANWISE_BLOSC_INCLUDE, if Blosc is found: it packs the values of .vdb files.
find_library(SPANWISE_BLOSC_LIBRARY blosc)
find_path(SPANWISE_BLOSC_INCLUDE blosc.h)
if(NOT SPANWISE_BLOSC_LIBRARY OR NOT SPANWISE_BLOSC_INCLUDE)
  message(STATUS "Blosc was not found: .vdb files are written with zip compression, and those packed by Blosc not read")
endif()
