# SPANWISE_HAS_BLOSC, with SPANWISE_BLOSC_LIBRARY and SPANWISE_BLOSC_INCLUDE, if Blosc is found and wanted: it packs the
# values of .vdb files.
option(SPANWISE_BLOSC "Use Blosc, if it is found: most .vdb files are packed by it" ON)
set(SPANWISE_HAS_BLOSC OFF)
if(SPANWISE_BLOSC)
  find_library(SPANWISE_BLOSC_LIBRARY blosc)
  find_path(SPANWISE_BLOSC_INCLUDE blosc.h)
  if(SPANWISE_BLOSC_LIBRARY AND SPANWISE_BLOSC_INCLUDE)
    set(SPANWISE_HAS_BLOSC ON)
  endif()
endif()
if(NOT SPANWISE_HAS_BLOSC)
  message(STATUS "Blosc was not found, or is off: .vdb files are written with zip compression, and those packed by "
    "Blosc not read")
endif()
