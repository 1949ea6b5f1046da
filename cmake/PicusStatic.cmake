# The tool as one program that needs no library of the system (PICUS_STATIC). CMake looks for archives only; here are those that
# the archives need, which their pkg-config files do not name completely. Debian's HDF5 and Lua are not position-independent,
# so the program has a fixed address.
set(PICUS_BELOW_ARCHIVES "") # of HDF5 and KLU
set(names sz aec)
if(NOT PICUS_LIBRARY_SOURCES)
  list(APPEND names amd colamd btf suitesparseconfig)
endif()
foreach(name IN LISTS names)
  find_library(PICUS_STATIC_${name} ${name} REQUIRED)
  list(APPEND PICUS_BELOW_ARCHIVES ${PICUS_STATIC_${name}})
endforeach()

find_file(PICUS_FONT DejaVuSans.ttf PATHS /usr/share/fonts/truetype/dejavu REQUIRED)
set(PICUS_FONT_SOURCE ${PROJECT_BINARY_DIR}/font_file.c)
pkg_check_modules(PICUS_FREETYPE REQUIRED freetype2)

function(picus_link_static)
  target_link_libraries(picus_static PRIVATE ${PICUS_BELOW_ARCHIVES} m)
  target_link_libraries(picus_tool PUBLIC ${PICUS_CAIRO_STATIC_LDFLAGS})
  target_include_directories(picus_tool SYSTEM PRIVATE ${PICUS_FREETYPE_INCLUDE_DIRS})
  set_target_properties(picus PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_link_options(picus PRIVATE -static)
endfunction()
