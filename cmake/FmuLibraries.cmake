# Lists the libraries that LIBRARY needs beyond the C library in the file OUTPUT, a path in each line.
file(GET_RUNTIME_DEPENDENCIES MODULES ${LIBRARY} RESOLVED_DEPENDENCIES_VAR found UNRESOLVED_DEPENDENCIES_VAR missing
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|pthread|rt|asan|ubsan|tsan|gcc_s|stdc\\+\\+)\\.so")
if(missing)
  message(FATAL_ERROR "FMUs would lack libraries: ${missing}")
endif()
list(SORT found)
list(JOIN found "\n" lines)
file(WRITE ${OUTPUT} "${lines}\n")
