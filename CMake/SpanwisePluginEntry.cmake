# spanwise_plugin_entry(plugin): the library that ParaView opens as the plugin. The plugin itself lies beside it, under
# another name; Plugin/Entry says why.
function(spanwise_plugin_entry plugin)
  set_target_properties(${plugin} PROPERTIES OUTPUT_NAME "${plugin}Plugin")
  set(folder "${PARAVIEW_PLUGIN_SUBDIR}/${plugin}")
  set(entry ${plugin}Entry)
  add_library(${entry} MODULE "${PROJECT_SOURCE_DIR}/Plugin/Entry/SpanwiseEntry.c")
  target_compile_definitions(${entry} PRIVATE
    "SPANWISE_PARAVIEW_VERSION=\"ParaView ${ParaView_VERSION}\""
    "SPANWISE_PARAVIEW_LIBRARY=\"$<TARGET_SONAME_FILE_NAME:ParaView::RemotingCore>\""
    "SPANWISE_PLUGIN_FILE=\"${plugin}Plugin${CMAKE_SHARED_MODULE_SUFFIX}\"")
  target_link_libraries(${entry} PRIVATE ${CMAKE_DL_LIBS})
  set_target_properties(${entry} PROPERTIES
    OUTPUT_NAME ${plugin}
    C_VISIBILITY_PRESET hidden
    PREFIX ""
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${folder}")
  install(TARGETS ${entry} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/${folder}")
endfunction()
