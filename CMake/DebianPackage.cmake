# spanwise_debian_folder(name minimum result): the folder with the CMake files that Debian packages for `name`, where
# find_package(name minimum) would take these before any other; nothing otherwise. mended_<name> is where a corrected copy
# goes.
macro(spanwise_debian_folder name minimum result)
  set(mended_${name} "${CMAKE_BINARY_DIR}/Debian/${name}")
  if("${${name}_DIR}" STREQUAL "${mended_${name}}")
    unset(${name}_DIR CACHE) # a copy of what may have been upgraded since
  endif()
  spanwise_first_candidate(${name} ${minimum} ${result})
  string(FIND "${${result}}" "/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/cmake/" spanwise_place)
  if(NOT spanwise_place EQUAL 0)
    set(${result} "")
  endif()
endmacro()

# The first folder with a new enough version, in find_package's order.
function(spanwise_first_candidate name minimum result)
  set(given "${${name}_DIR}")
  # No package has this version, so that all candidates are listed and none is loaded.
  find_package(${name} 9999 EXACT QUIET CONFIG)
  if(given)
    set(${name}_DIR "${given}" CACHE PATH "The folder of ${name}'s CMake files" FORCE)
  else()
    unset(${name}_DIR CACHE)
  endif()
  set(${result} "" PARENT_SCOPE)
  foreach(config version IN ZIP_LISTS ${name}_CONSIDERED_CONFIGS ${name}_CONSIDERED_VERSIONS)
    if(version VERSION_GREATER_EQUAL minimum)
      get_filename_component(folder "${config}" DIRECTORY)
      set(${result} "${folder}" PARENT_SCOPE)
      break()
    endif()
  endforeach()
endfunction()
