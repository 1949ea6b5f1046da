# Hardening of what is installed from release builds, as Debian builds its packages: stack protector, checked calls of the C library, read-only
# relocations that are resolved when the program starts, checked jumps and returns on x86, stacks that cannot jump over
# the guard page, programs that are loaded at any address. A compiler or linker that does not know a flag does without.
if(MINGW) # its gcc takes these flags, and fails with them
  set(PICUS_HARDENING OFF)
endif()
include(CheckCCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)

set(picus_hardening_compile "")
set(picus_hardening_link "")
foreach(flag IN ITEMS -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER "PICUS_HAS${flag}" known)
  set(CMAKE_REQUIRED_FLAGS -Werror) # a flag of another processor is only warned about
  check_c_compiler_flag(${flag} ${known})
  unset(CMAKE_REQUIRED_FLAGS)
  if(${known})
    list(APPEND picus_hardening_compile ${flag})
  endif()
endforeach()
foreach(flag IN ITEMS -Wl,-z,relro -Wl,-z,now)
  string(MAKE_C_IDENTIFIER "PICUS_HAS${flag}" known)
  check_linker_flag(C ${flag} ${known})
  if(${known})
    list(APPEND picus_hardening_link ${flag})
  endif()
endforeach()

set(picus_release $<CONFIG:Release,RelWithDebInfo,MinSizeRel>)

# Code that runs in every step, and reads nothing from outside: of its arrays, those of fixed size that hold numbers have no
# guard. That costs 2 % of a step; arrays of characters keep theirs.
function(picus_hardening_steps)
  if(PICUS_HARDENING AND PICUS_HAS_fstack_protector_strong AND NOT PICUS_SANITIZE AND NOT PICUS_COVERAGE)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS $<${picus_release}:-fstack-protector>)
  endif()
endfunction()

function(picus_hardening target)
  if(NOT PICUS_HARDENING OR PICUS_SANITIZE OR PICUS_COVERAGE)
    return()
  endif()
  target_compile_options(${target} PRIVATE $<${picus_release}:${picus_hardening_compile}>
    $<${picus_release}:-U_FORTIFY_SOURCE> $<${picus_release}:-D_FORTIFY_SOURCE=2>)
  target_link_options(${target} PRIVATE $<${picus_release}:${picus_hardening_link}>)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()
