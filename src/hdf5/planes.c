#include "hdf5/planes.h"
#include "base/byte_words.h"

enum { WORD = 8 };

/* Transposes the 8 x 8 bytes of eight words: word i then has byte i of each. */
static void transpose(uint64_t w[WORD]) {
  static const uint64_t even[3] = {0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};
  for (int level = 0; level < 3; level++) {
    const int step = 1 << level, shift = 8 << level;
    for (int i = 0; i < WORD; i++) {
      if (i & step) continue;
      const uint64_t a = w[i], b = w[i + step];
      w[i] = (a & even[level]) | (b & even[level]) << shift;
      w[i + step] = (a >> shift & even[level]) | (b & ~even[level]);
    }
  }
}

void picus_planes_split(const void *values, size_t count, size_t length, unsigned char *planes) {
  const unsigned char *from = values;
  uint64_t word[WORD];
  size_t k = 0;
  for (; k + WORD <= count; k += WORD) {
    memcpy(word, from + k * WORD, sizeof word);
    transpose(word);
    for (size_t j = 0; j < WORD; j++) picus_put_word(word[j], planes + j * length + k);
  }
  for (; k < count; k++) {
    memcpy(word, from + k * WORD, sizeof word[0]);
    for (size_t j = 0; j < WORD; j++) planes[j * length + k] = (unsigned char)(word[0] >> (8 * j));
  }
}

static size_t join_words(const unsigned char *planes, size_t count, unsigned char *values) {
  uint64_t word[WORD];
  size_t k = 0;
  for (; k + WORD <= count; k += WORD) {
    for (size_t j = 0; j < WORD; j++) word[j] = picus_get_word(planes + j * count + k);
    transpose(word);
    for (size_t j = 0; j < WORD; j++) picus_put_word(word[j], values + (k + j) * WORD);
  }
  return k;
}

void picus_planes_join(const unsigned char *planes, size_t count, size_t width, unsigned char *values) {
  const size_t done = width == WORD ? join_words(planes, count, values) : 0;
  for (size_t k = done; k < count; k++)
    for (size_t j = 0; j < width; j++) values[k * width + j] = planes[j * count + k];
}
