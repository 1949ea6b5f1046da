# The parts of the viewer's page become a C table, so that `picus view` needs no files.
set(PICUS_PAGE_FILES "")
foreach(part IN ITEMS head.html page.css body.html page.js space.js three.js)
  list(APPEND PICUS_PAGE_FILES ${PROJECT_SOURCE_DIR}/tool/view/page/${part})
endforeach()
set(PICUS_PAGE_SOURCE ${PROJECT_BINARY_DIR}/view_page.c)
add_custom_command(OUTPUT ${PICUS_PAGE_SOURCE}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${PICUS_PAGE_SOURCE} "-DFILES=${PICUS_PAGE_FILES}"
          -P ${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake
  DEPENDS ${PICUS_PAGE_FILES} ${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake VERBATIM)
