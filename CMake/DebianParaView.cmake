# Debian's python3-paraview ships Python modules as vtkX.cpython-3NN-<triplet>.so, while the exported targets of
# paraview-dev name vtkX.so, so that find_package(ParaView) fails. A copy of the package's CMake folder in the build tree
# names the files that are there. This file can go when find_package(ParaView) works there without it.
include("${CMAKE_CURRENT_LIST_DIR}/DebianPackage.cmake")
spanwise_debian_folder(ParaView ${SPANWISE_MINIMUM_PARAVIEW} debian_paraview)
file(GLOB_RECURSE python_module "/usr/lib/python3/dist-packages/vtkRemotingCore.cpython-*.so")
if(debian_paraview AND python_module)
  get_filename_component(python_module "${python_module}" NAME)
  string(REPLACE "vtkRemotingCore" "" python_suffix "${python_module}")
  file(COPY "${debian_paraview}/" DESTINATION "${mended_ParaView}")
  file(GLOB_RECURSE files "${mended_ParaView}/*.cmake")
  foreach(file IN LISTS files)
    file(READ "${file}" text)
    string(REGEX REPLACE "(dist-packages/[A-Za-z0-9_/]+)\\.so\"" "\\1${python_suffix}\"" text "${text}")
    # The prefix is found by going up from the file's own folder: from where the package has it, not from here.
    string(REPLACE "set(_vtk_module_import_prefix \"\${CMAKE_CURRENT_LIST_DIR}\")"
      "set(_vtk_module_import_prefix \"${debian_paraview}\")" text "${text}")
    string(REPLACE "get_filename_component(_IMPORT_PREFIX \"\${CMAKE_CURRENT_LIST_FILE}\" PATH)"
      "set(_IMPORT_PREFIX \"${debian_paraview}\")" text "${text}")
    file(WRITE "${file}" "${text}")
  endforeach()
  set(ParaView_DIR "${mended_ParaView}" CACHE PATH "The folder of ParaView's CMake files" FORCE)
endif()
