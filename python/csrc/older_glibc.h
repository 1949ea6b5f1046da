/* Included before all sources of a wheel for other machines. glibc 2.35 has a new version of hypot that differs in errno
 * alone; with the older one the wheel needs glibc 2.34. */
#if defined __x86_64__ && defined __gnu_linux__
__asm__(".symver hypot,hypot@GLIBC_2.2.5");
#endif
