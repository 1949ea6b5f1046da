# The library of FMUs, fmu/picus_fmu.so: co-simulation by FMI 2.0 and 3.0 of any model, which `picus export --fmu` packs with the
# model. It contains libpicus and exports the functions of the standard alone; the libraries that it needs beyond the C library
# stand beside it in an FMU, and the file `libraries` lists them. Debian's archives of them are not position-independent.
set(PICUS_FMU_SOURCES fmi2.c fmi3.c not_provided.c instance.c package.c variables.c)
list(TRANSFORM PICUS_FMU_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/tool/fmu/)
add_library(picus_fmu MODULE ${PICUS_FMU_SOURCES})
set_target_properties(picus_fmu PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fmu SKIP_BUILD_RPATH ON)
target_include_directories(picus_fmu PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include
  ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tool)
add_dependencies(picus_fmu picus_static)
# RPATH, not RUNPATH: it also holds for the libraries that those libraries need. A flag of the linker, so that packages without
# paths (CMAKE_SKIP_RPATH) have it, too; the quotes keep a shell from reading it, and $$ is $ in files of Ninja.
set(PICUS_FMU_ORIGIN "'$ORIGIN'")
if(CMAKE_GENERATOR MATCHES Ninja)
  set(PICUS_FMU_ORIGIN "'$$ORIGIN'")
endif()
target_link_libraries(picus_fmu PRIVATE $<TARGET_FILE:picus_static> ${PICUS_LUA} ${PICUS_KLU_LIBRARY} m pthread
  ${CMAKE_DL_LIBS} "-Wl,--exclude-libs,ALL,--gc-sections,--as-needed,--disable-new-dtags,-rpath,${PICUS_FMU_ORIGIN}")
set_target_properties(picus_fmu PROPERTIES LINK_DEPENDS $<TARGET_FILE:picus_static>)
picus_flags(picus_fmu)
picus_hardening(picus_fmu)
add_custom_command(TARGET picus_fmu POST_BUILD
  COMMAND ${CMAKE_COMMAND} -DLIBRARY=$<TARGET_FILE:picus_fmu> -DOUTPUT=${PROJECT_BINARY_DIR}/fmu/libraries
          -P ${PROJECT_SOURCE_DIR}/cmake/FmuLibraries.cmake VERBATIM)

# Where the tool looks for it, from its own folder.
set(PICUS_INSTALL_FMUDIR ${CMAKE_INSTALL_LIBDIR}/picus/fmu)
file(RELATIVE_PATH PICUS_BIN_TO_FMU /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${PICUS_INSTALL_FMUDIR})
set_source_files_properties(${PROJECT_SOURCE_DIR}/tool/commands/fmu_export.c PROPERTIES COMPILE_DEFINITIONS
  "PICUS_FMU_FOLDER=\"${PICUS_BIN_TO_FMU}\"")
