# The shipped model files become a C table, so that `picus run woodpecker` needs no search path. So do the items of
# `picus reproduce`, and the pages of the manual that `picus help WORD` quotes.
function(picus_embed output files header type table)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} "-DFILES=${files}" -DHEADER=${header} -DTYPE=${type} -DTABLE=${table}
            -P ${PROJECT_SOURCE_DIR}/cmake/EmbedTexts.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/EmbedTexts.cmake VERBATIM)
endfunction()

file(GLOB PICUS_MODEL_FILES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/*.lua)
# by name, not by file name: "slider-crank" comes before "slider-crank-bodies"
list(TRANSFORM PICUS_MODEL_FILES REPLACE "\\.lua$" "")
list(SORT PICUS_MODEL_FILES)
list(TRANSFORM PICUS_MODEL_FILES APPEND ".lua")
set(PICUS_MODELS_SOURCE ${PROJECT_BINARY_DIR}/shipped_models.c)
picus_embed(${PICUS_MODELS_SOURCE} "${PICUS_MODEL_FILES}" model_file/shipped.h picus_shipped_model picus_shipped_models)

file(GLOB PICUS_ITEM_FILES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tool/reproduce/*.items)
list(SORT PICUS_ITEM_FILES)
set(PICUS_ITEMS_SOURCE ${PROJECT_BINARY_DIR}/shipped_items.c)
picus_embed(${PICUS_ITEMS_SOURCE} "${PICUS_ITEM_FILES}" commands/shipped_texts.h cli_shipped_text cli_shipped_items)

set(PICUS_PAGES ${PROJECT_SOURCE_DIR}/docs/model-format.md ${PROJECT_SOURCE_DIR}/docs/shapes.md)
set(PICUS_PAGES_SOURCE ${PROJECT_BINARY_DIR}/shipped_pages.c)
picus_embed(${PICUS_PAGES_SOURCE} "${PICUS_PAGES}" commands/shipped_texts.h cli_shipped_text cli_shipped_pages)
