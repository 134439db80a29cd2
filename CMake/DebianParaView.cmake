# Debian's python3-paraview ships Python modules as vtkX.cpython-3NN-<triplet>.so, while the exported targets of
# paraview-dev name vtkX.so, so that find_package(ParaView) fails. A copy of the package's CMake folder in the build tree
# names the files that are there. This file can go when find_package(ParaView) works there without it.
if(NOT ParaView_DIR)
  file(GLOB debian_paraview "/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/cmake/paraview-[0-9]*")
  file(GLOB_RECURSE python_module "/usr/lib/python3/dist-packages/vtkRemotingCore.cpython-*.so")
  if(debian_paraview AND python_module)
    get_filename_component(python_module "${python_module}" NAME)
    string(REPLACE "vtkRemotingCore" "" python_suffix "${python_module}")
    get_filename_component(folder "${debian_paraview}" NAME)
    set(mended "${CMAKE_BINARY_DIR}/${folder}")
    file(COPY "${debian_paraview}/" DESTINATION "${mended}")
    file(GLOB_RECURSE files "${mended}/*.cmake")
    foreach(file IN LISTS files)
      if(file MATCHES "prefix\\.cmake$")
        # The folder was moved, so the prefix can no longer be found by going up from it.
        file(WRITE "${file}" "set(_vtk_module_import_prefix \"/usr\")\n")
      elseif(file MATCHES "-targets(-[a-z]+)?\\.cmake$|Python.*\\.cmake$")
        file(READ "${file}" text)
        string(REGEX REPLACE "(dist-packages/[A-Za-z0-9_/]+)\\.so\"" "\\1${python_suffix}\"" text "${text}")
        string(REPLACE "if(_IMPORT_PREFIX STREQUAL \"/\")"
          "set(_IMPORT_PREFIX \"/usr\")\nif(_IMPORT_PREFIX STREQUAL \"/\")" text "${text}")
        file(WRITE "${file}" "${text}")
      endif()
    endforeach()
    set(ParaView_DIR "${mended}" CACHE PATH "ParaView's CMake folder" FORCE)
  endif()
endif()
