/* A program that does nothing: what it takes to start one. With HDF5 linked, what this library takes alone. */
#ifdef WITH_HDF5
#include <hdf5.h>
#endif

int main(void) {
#ifdef WITH_HDF5
  unsigned major = 0, minor = 0, release = 0;
  return H5get_libversion(&major, &minor, &release) < 0;
#else
  return 0;
#endif
}
