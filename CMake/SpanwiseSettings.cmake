# How everything is compiled, and where the build tree puts it: laid out as it will be installed, so that tests run what
# users get.
option(BUILD_SHARED_LIBS "One Kokkos and one copy of each VTK class in a process need shared libraries" ON)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo or Debug" FORCE)
endif()

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_BINDIR}")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_INSTALL_RPATH "$ORIGIN;$ORIGIN/..;$ORIGIN/../..;$ORIGIN/../../..")
set(SPANWISE_PYTHON_DESTINATION "${CMAKE_INSTALL_LIBDIR}/python3/dist-packages")
set(SPANWISE_VTK_REMEDY "use the Python of that VTK, or build Spanwise for this one"
  CACHE STRING "What the Python package says is to be done where VTK is another one")
set(SPANWISE_COMPONENT_PER_MODULE ON) # those that need ParaView go into its package
if(SPANWISE_WHEEL)
  include(SpanwiseWheel)
endif()

# spanwise_headers_of(source folder): a source of the current folder includes headers of a library that lie there. Where
# compilers look there anyway it must not be named: it would come before their own headers.
function(spanwise_headers_of source folder)
  if(NOT folder IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    set_source_files_properties("${source}" PROPERTIES INCLUDE_DIRECTORIES "${folder}")
  endif()
endfunction()

# Warnings for our own targets. What a module's target is called depends on VTK's version; Spanwise::Name is an alias.
function(spanwise_warnings target)
  get_target_property(aliased ${target} ALIASED_TARGET)
  if(aliased)
    set(target ${aliased})
  endif()
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Wall -Wextra -Wshadow -Wnon-virtual-dtor>)
  if(SPANWISE_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Werror>)
  endif()
endfunction()
