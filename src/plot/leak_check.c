/* For builds with the address sanitizer only: fontconfig, which cairo asks for the font, keeps its patterns behind
 * offsets instead of pointers for the rest of the process, and the leak checker takes them for lost. */
#include "plot/internal.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LEAKS_ARE_CHECKED 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define LEAKS_ARE_CHECKED 1
#endif

#ifdef LEAKS_ARE_CHECKED
/* The sanitizer looks for these names. */
PICUS_API const char *__lsan_default_suppressions(void);
PICUS_API const char *__lsan_default_options(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig\n"; }
const char *__lsan_default_options(void) { return "print_suppressions=0"; }
#endif
