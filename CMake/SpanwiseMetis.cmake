# SPANWISE_METIS_LIBRARY and SPANWISE_METIS_INCLUDE, if METIS is found: it partitions meshes. Without it they are cut in
# two by coordinates, again and again.
find_library(SPANWISE_METIS_LIBRARY metis)
find_path(SPANWISE_METIS_INCLUDE metis.h)
if(NOT SPANWISE_METIS_LIBRARY OR NOT SPANWISE_METIS_INCLUDE)
  message(STATUS "METIS was not found: meshes are partitioned by coordinates alone")
endif()
