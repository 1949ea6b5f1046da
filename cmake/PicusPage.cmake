# The parts of the pages become a C table, so that `picus view` and `picus live` need no files. The library for the browser
# is among them where `make web` has built it: build-web, or PICUS_WEB.
set(PICUS_PAGE_FILES "")
foreach(part IN ITEMS head.html page.css body.html draw.js panel.js plot.js plane.js page.js space-stage.js
    space-shapes.js space-contacts.js space.js three.js live-body.html
    live.css inflate.js live.js diagram-body.html diagram.css diagram.js)
  list(APPEND PICUS_PAGE_FILES ${PROJECT_SOURCE_DIR}/tool/view/page/${part})
endforeach()
set(PICUS_WEB ${PROJECT_SOURCE_DIR}/build-web CACHE PATH "Where make web has built picus.js and picus.wasm")
if(PICUS_WITH_WEB AND EXISTS ${PICUS_WEB}/picus.js AND EXISTS ${PICUS_WEB}/picus.wasm)
  list(APPEND PICUS_PAGE_FILES ${PICUS_WEB}/picus.js ${PICUS_WEB}/picus.wasm ${PICUS_WEB}/licences.txt)
endif()
set(PICUS_PAGE_SOURCE ${PROJECT_BINARY_DIR}/view_page.c)
add_custom_command(OUTPUT ${PICUS_PAGE_SOURCE}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${PICUS_PAGE_SOURCE} "-DFILES=${PICUS_PAGE_FILES}"
          -P ${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake
  DEPENDS ${PICUS_PAGE_FILES} ${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake VERBATIM)
