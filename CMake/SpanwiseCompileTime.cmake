# What makes compiling faster and changes nothing in what is compiled. README.md beside this file has figures.

# GCC tidies up its memory from 128 MB on, again and again; sources here take up to 1 GB. An eighth of the time.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1048576>")
endif()

# Headers of other packages that most sources include are parsed once for many sources: Kokkos alone takes a processor
# two seconds. There are none of ours among them, so a change rebuilds what it did. A source still includes what it
# uses: `./dev check` and `./dev sanitize` compile without.
option(SPANWISE_PRECOMPILED_HEADERS "Parse the headers of other packages once for many sources" OFF)
set(SPANWISE_STANDARD_HEADERS
  <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory> <numeric> <optional> <span> <string>
  <vector>)

# spanwise_precompile(name LINK target... HEADERS <header>... [EXECUTABLES]): headers for sources of libraries, or of
# executables, that are compiled as this target: GCC takes precompiled headers only where the code is to be as
# independent of its position as where they were made.
function(spanwise_precompile name)
  if(NOT SPANWISE_PRECOMPILED_HEADERS)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "EXECUTABLES" "" "LINK;HEADERS")
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "") # CMake makes precompiled headers for a source
  add_library(${name} OBJECT "${source}")
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  if(arg_EXECUTABLES)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE ${CMAKE_CXX_COMPILE_OPTIONS_PIE})
  endif()
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
endfunction()

# spanwise_use_precompiled(target name): the headers of spanwise_precompile(name), before each source of the target.
function(spanwise_use_precompiled target name)
  if(SPANWISE_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()
