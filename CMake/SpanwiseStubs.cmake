# Stubs (.pyi) of the compiled modules of the Python package: what type checkers and editors know of their classes.
# vtk_module_wrap_python(BUILD_PYI_FILES ON) makes them in VTK's own build alone: it waits for targets that are there.
set(SPANWISE_STUBS OFF)
execute_process(COMMAND "${Python3_EXECUTABLE}" -c "import ${spanwise_vtk_package}.generate_pyi"
  RESULT_VARIABLE stubs_missing OUTPUT_QUIET ERROR_QUIET)
if(stubs_missing)
  message(STATUS "${spanwise_vtk_package}.generate_pyi was not found: the Python modules have no stubs")
  return()
endif()
set(SPANWISE_STUBS ON)

set(package "${CMAKE_BINARY_DIR}/${SPANWISE_PYTHON_DESTINATION}/spanwise")
set(stub_modules)
set(stub_targets)
set(stubs)
foreach(module IN LISTS spanwise_modules)
  get_property(name TARGET "${module}" PROPERTY INTERFACE_vtk_module_library_name)
  foreach(target IN ITEMS "${name}Python" "Py${name}Python") # VTK 9.6, 9.7
    if(TARGET "${target}")
      list(APPEND stub_modules "${name}")
      list(APPEND stub_targets "${target}")
      list(APPEND stubs "${package}/${name}.pyi")
    endif()
  endforeach()
endforeach()

# A module is imported as part of the package, so that all of them and the package's own files must be there.
add_custom_command(OUTPUT ${stubs}
  COMMAND "${Python3_EXECUTABLE}" -B -m ${spanwise_vtk_package}.generate_pyi -p spanwise -o "${package}" ${stub_modules}
  WORKING_DIRECTORY "${CMAKE_BINARY_DIR}/${SPANWISE_PYTHON_DESTINATION}"
  DEPENDS ${stub_targets} ${spanwise_python_copies}
  COMMENT "Python stubs"
  VERBATIM)
add_custom_target(spanwise_stubs ALL DEPENDS ${stubs})
foreach(stub target IN ZIP_LISTS stubs stub_targets) # into the package of their module
  set(component python)
  if(SPANWISE_COMPONENT_PER_MODULE)
    set(component "${target}-python")
  endif()
  install(FILES "${stub}" DESTINATION "${SPANWISE_PYTHON_DESTINATION}/spanwise" COMPONENT ${component})
endforeach()
