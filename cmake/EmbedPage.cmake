# Writes OUTPUT: each of FILES as a byte array, and the table of them that tool/view/page.h declares, with their SHA-256.
set(arrays "")
set(table "")
set(count 0)
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR length "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  file(SHA256 ${file} hash)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" hash "${hash}")
  string(APPEND arrays "static const char part_${count}[] = {${bytes}0};\n")
  string(APPEND table "  {\"${name}\", part_${count}, ${length}, \"${hash}\"},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUTPUT} "/* Generated from tool/view/page by cmake/EmbedPage.cmake. */
#include \"view/page.h\"

${arrays}
const picus_page_part picus_page_parts[] = {
${table}  {0, 0, 0, 0}};
const int picus_page_part_count = ${count};
")
