# `picus --version` names the commit and the build. A commit makes CMake configure again; only tool/commands/version.c is compiled.
set(PICUS_COMMIT "no commit")
file(READ ${PROJECT_SOURCE_DIR}/packaging/commit commit LIMIT 10) # `git archive` writes the commit into this file
string(STRIP "${commit}" commit) # CMake ends what it reads with a newline
if(commit MATCHES "^[0-9a-f]+$")
  set(PICUS_COMMIT "commit ${commit}")
endif()
find_package(Git QUIET)
if(Git_FOUND AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${PROJECT_SOURCE_DIR} rev-parse --short=10 HEAD
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${PROJECT_SOURCE_DIR} rev-parse --git-path logs/HEAD
    OUTPUT_VARIABLE history OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    set(PICUS_COMMIT "commit ${commit}")
    get_filename_component(history "${history}" ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
    if(EXISTS ${history})
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${history})
    endif()
  endif()
endif()
set_source_files_properties(${PROJECT_SOURCE_DIR}/tool/commands/version.c PROPERTIES COMPILE_DEFINITIONS
  "PICUS_BUILT_FROM=\"${PICUS_COMMIT}, ${CMAKE_BUILD_TYPE}, ${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}\"")
