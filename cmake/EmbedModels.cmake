# Writes OUTPUT: the text of each of FILES as a byte array, and the table of them that src/model_file/shipped.h declares.
set(arrays "")
set(table "")
set(count 0)
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR length "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "static const char text_${count}[] = {${bytes}0};\n")
  string(APPEND table "  {\"${name}\", text_${count}, ${length}},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUTPUT} "/* Generated from models/ by cmake/EmbedModels.cmake. */
#include \"model_file/shipped.h\"

${arrays}
const picus_shipped_model picus_shipped_models[] = {
${table}  {0, 0, 0}};
const int picus_shipped_models_count = ${count};
")
