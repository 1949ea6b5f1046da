# Warnings, floating-point rules and sanitizers, the same for every target.
include(CheckCCompilerFlag)
# gcc on x86 clears and copies structs of some hundred bytes by "rep stos" and "rep movs", which take thirty cycles to
# start: a tenth of a short step.
set(picus_short_blocks -mmemset-strategy=vector_loop:512:noalign,libcall:-1:noalign
  -mmemcpy-strategy=vector_loop:512:noalign,libcall:-1:noalign)
check_c_compiler_flag("${picus_short_blocks}" PICUS_HAS_BLOCK_STRATEGIES)
check_c_compiler_flag(-fvect-cost-model=very-cheap PICUS_HAS_CHEAP_VECTORS)

# Loops of a step run over a handful of numbers. The tests by which gcc chooses between a vector loop and a plain one take longer
# than such a loop itself: in these files it makes no vector loops. Long vectors are left to loops that are unrolled by hand.
function(picus_short_loops)
  if(PICUS_HAS_CHEAP_VECTORS)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS $<$<C_COMPILER_ID:GNU>:-fvect-cost-model=very-cheap>)
  endif()
endfunction()

# 32-bit x86 computes in registers of 80 bits unless it is told otherwise; sums of parts that are exact in doubles are then not.
include(CheckCSourceCompiles)
check_c_source_compiles("#include <float.h>
#if FLT_EVAL_METHOD != 0
#error doubles are not computed as doubles
#endif
int main(void) { return 0; }" PICUS_COMPUTES_DOUBLES)
if(NOT PICUS_COMPUTES_DOUBLES)
  add_compile_options(-msse2 -mfpmath=sse)
endif()

function(picus_flags target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Wvla -Wpointer-arith
    -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wwrite-strings
    -ffp-contract=off # same result on every machine: no fused multiply-add behind our back
    -fno-math-errno -fno-trapping-math) # nobody reads errno or the flags of exceptions; results are the same
  # Vectors of a step have a handful of entries: a loop that copies three numbers must not become a call of memcpy.
  target_compile_options(${target} PRIVATE $<$<C_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns>)
  if(MINGW) # its isnan and isfinite convert; gcc checks formats against Windows' library, which is not the one that prints
    target_compile_options(${target} PRIVATE -Wno-float-conversion -Wno-format -Wno-format-extra-args)
  endif()
  if(PICUS_HAS_BLOCK_STRATEGIES)
    target_compile_options(${target} PRIVATE ${picus_short_blocks})
  endif()
  if(PICUS_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(PICUS_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${PICUS_SANITIZE} -fno-omit-frame-pointer
      -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${PICUS_SANITIZE})
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU") # checks in the code mislead its analysis; the other builds warn
      target_compile_options(${target} PRIVATE -Wno-format-truncation -Wno-maybe-uninitialized)
    endif()
  endif()
  if(PICUS_COVERAGE)
    target_compile_options(${target} PRIVATE --coverage -O0)
    target_link_options(${target} PRIVATE --coverage)
  endif()
endfunction()
