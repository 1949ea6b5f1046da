# What `cmake --install` puts where: libraries, headers, the tool, what pkg-config and CMake need to find them, models,
# manual pages, completion, documents.
include(CMakePackageConfigHelpers)
set(PICUS_INSTALL_MODELDIR ${CMAKE_INSTALL_DATADIR}/picus/models)
set(PICUS_INSTALL_CMAKEDIR ${CMAKE_INSTALL_LIBDIR}/cmake/picus)
set(PICUS_INSTALL_PCDIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Two exports, so that users of the shared library need none of the libraries that the static one is built on.
foreach(kind IN ITEMS shared static)
  install(TARGETS picus_${kind} EXPORT picus-${kind}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT picus-${kind} NAMESPACE picus:: DESTINATION ${PICUS_INSTALL_CMAKEDIR})
endforeach()
if(TARGET picus)
  install(TARGETS picus RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(TARGET picus_mpi)
    install(TARGETS picus_mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
  endif()
endif()
if(TARGET picus_fmu) # as it was linked: it finds what it needs beside it, in an FMU
  install(PROGRAMS $<TARGET_FILE:picus_fmu> DESTINATION ${PICUS_INSTALL_FMUDIR})
  install(FILES ${PROJECT_BINARY_DIR}/fmu/libraries DESTINATION ${PICUS_INSTALL_FMUDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/picus ${PROJECT_BINARY_DIR}/include/picus
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

file(RELATIVE_PATH PICUS_PC_TO_PREFIX /prefix/${PICUS_INSTALL_PCDIR} /prefix)
string(REGEX REPLACE "/$" "" PICUS_PC_TO_PREFIX "${PICUS_PC_TO_PREFIX}")
# What users of the static library need: pkg-config's names, and for CMake PREFIX=NAME.
set(PICUS_PC_LIBRARIES "-lm -lpthread -ldl")
set(PICUS_PC_REQUIRES "")
set(PICUS_CONFIG_DEPENDENCIES "")
if(NOT PICUS_LIBRARY_SOURCES)
  string(PREPEND PICUS_PC_LIBRARIES "-lklu ")
  list(APPEND PICUS_PC_REQUIRES lua5.4)
  list(APPEND PICUS_CONFIG_DEPENDENCIES LUA=lua5.4)
endif()
if(PICUS_WITH_HDF5)
  list(APPEND PICUS_PC_REQUIRES hdf5 zlib)
  list(APPEND PICUS_CONFIG_DEPENDENCIES HDF5=hdf5 ZLIB=zlib)
endif()
list(JOIN PICUS_PC_REQUIRES ", " PICUS_PC_REQUIRES)
list(JOIN PICUS_CONFIG_DEPENDENCIES " " PICUS_CONFIG_DEPENDENCIES)
configure_file(packaging/picus.pc.in picus.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/picus.pc DESTINATION ${PICUS_INSTALL_PCDIR})

configure_package_config_file(packaging/picus-config.cmake.in picus-config.cmake
  INSTALL_DESTINATION ${PICUS_INSTALL_CMAKEDIR})
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(picus-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/picus-config.cmake ${PROJECT_BINARY_DIR}/picus-config-version.cmake
  DESTINATION ${PICUS_INSTALL_CMAKEDIR})

file(GLOB models CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/*.lua)
install(FILES ${models} DESTINATION ${PICUS_INSTALL_MODELDIR})
# The tool writes its own man page and completions, so that they agree with it.
if(TARGET picus AND NOT WIN32)
  set(manual_page ${PROJECT_BINARY_DIR}/picus.1)
  set(completions ${PROJECT_BINARY_DIR}/completion)
  set(for_bash ${completions}/picus)
  set(for_zsh ${completions}/_picus)
  set(for_fish ${completions}/picus.fish)
  file(MAKE_DIRECTORY ${completions})
  add_custom_command(OUTPUT ${manual_page} ${for_bash} ${for_zsh} ${for_fish}
    COMMAND picus help --man > ${manual_page}
    COMMAND picus completion bash > ${for_bash}
    COMMAND picus completion zsh > ${for_zsh}
    COMMAND picus completion fish > ${for_fish}
    DEPENDS picus)
  add_custom_target(picus_documents ALL DEPENDS ${manual_page} ${for_bash} ${for_zsh} ${for_fish})
  install(FILES ${manual_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${for_bash} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${for_zsh} DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${for_fish} DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
if(PICUS_INSTALL_DOCUMENTS)
  install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
