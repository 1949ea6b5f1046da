# The shipped model files become a C table, so that `picus run woodpecker` needs no search path.
file(GLOB PICUS_MODEL_FILES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/*.lua)
# by name, not by file name: "slider-crank" comes before "slider-crank-bodies"
list(TRANSFORM PICUS_MODEL_FILES REPLACE "\\.lua$" "")
list(SORT PICUS_MODEL_FILES)
list(TRANSFORM PICUS_MODEL_FILES APPEND ".lua")
set(PICUS_MODELS_SOURCE ${PROJECT_BINARY_DIR}/shipped_models.c)
add_custom_command(OUTPUT ${PICUS_MODELS_SOURCE}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${PICUS_MODELS_SOURCE} "-DFILES=${PICUS_MODEL_FILES}"
          -P ${PROJECT_SOURCE_DIR}/cmake/EmbedModels.cmake
  DEPENDS ${PICUS_MODEL_FILES} ${PROJECT_SOURCE_DIR}/cmake/EmbedModels.cmake VERBATIM)
