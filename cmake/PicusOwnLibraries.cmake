# Lua and KLU from their sources (PICUS_LIBRARY_SOURCES, which scripts/library-sources fetches), for systems that have no
# packages of them, and for programs whose bits must not depend on how a package was compiled: KLU of Debian's arm64 fuses
# multiplications and additions. They are objects that become part of the libraries of Picus.
set(PICUS_OWN_INCLUDE ${PROJECT_BINARY_DIR}/own)

function(picus_own_flags target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -w -ffp-contract=off)
endfunction()

file(GLOB lua ${PICUS_LIBRARY_SOURCES}/lua/src/*.c)
list(FILTER lua EXCLUDE REGEX "/luac?\\.c$")
add_library(picus_own_lua OBJECT ${lua})
target_include_directories(picus_own_lua PUBLIC ${PICUS_LIBRARY_SOURCES}/lua/src)
picus_own_flags(picus_own_lua)

set(sparse ${PICUS_LIBRARY_SOURCES}/suitesparse)
file(GLOB headers ${sparse}/SuiteSparse_config/*.h ${sparse}/KLU/Include/*.h ${sparse}/AMD/Include/*.h
  ${sparse}/COLAMD/Include/*.h ${sparse}/BTF/Include/*.h)
file(COPY ${headers} DESTINATION ${PICUS_OWN_INCLUDE}/suitesparse)
file(GLOB klu ${sparse}/KLU/Source/*.c ${sparse}/AMD/Source/*.c ${sparse}/BTF/Source/*.c)
list(FILTER klu EXCLUDE REGEX "_dump\\.c$")
list(APPEND klu ${sparse}/COLAMD/Source/colamd.c ${sparse}/SuiteSparse_config/SuiteSparse_config.c)
add_library(picus_own_klu OBJECT ${klu})
target_include_directories(picus_own_klu PRIVATE ${PICUS_OWN_INCLUDE}/suitesparse)
target_compile_definitions(picus_own_klu PRIVATE NTIMER)
picus_own_flags(picus_own_klu)

set(PICUS_OWN_OBJECTS $<TARGET_OBJECTS:picus_own_lua> $<TARGET_OBJECTS:picus_own_klu>)
set(PICUS_LUA_INCLUDE ${PICUS_LIBRARY_SOURCES}/lua/src)
set(PICUS_KLU_INCLUDE ${PICUS_OWN_INCLUDE})
