# quoin_by_folder(TARGET): its sources of a folder share what they include, which takes half as long for a whole build and
# longer for a change.
function(quoin_by_folder target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${QUOIN_BY_FOLDER} UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} ABSOLUTE)
    get_filename_component(folder ${folder} DIRECTORY)
    file(RELATIVE_PATH folder ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../.. ${folder})
    string(MAKE_C_IDENTIFIER ${folder} folder)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
  endforeach()
endfunction()
