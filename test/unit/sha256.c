/* SHA-256 against the examples of FIPS 180-4, whole and in pieces. */
#include "base/checksums.h"
#include "support/check.h"

#include <string.h>

static void hash_in_pieces(const char *text, size_t repeat, size_t piece, char out[PICUS_SHA256_TEXT_SIZE]) {
  picus_sha256 hash;
  unsigned char digest[PICUS_SHA256_SIZE];
  picus_sha256_begin(&hash);
  for (size_t k = 0; k < repeat; k++)
    for (size_t at = 0, length = strlen(text); at < length; at += piece)
      picus_sha256_add(&hash, text + at, piece < length - at ? piece : length - at);
  picus_sha256_end(&hash, digest);
  picus_sha256_text(digest, out);
}

static void known_digests(void) {
  static const struct {
    const char *text;
    size_t repeat;
    const char *digest;
  } known[] = {
      {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {"aaaaaaaaaa", 100000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  };
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    for (size_t piece = 1; piece <= 64; piece += 9) {
      char digest[PICUS_SHA256_TEXT_SIZE];
      if (known[k].repeat > 1 && piece > 1) break;
      hash_in_pieces(known[k].text, known[k].repeat, piece, digest);
      CHECK_TEXT(digest, known[k].digest);
    }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"known_digests", known_digests}};
  return test_main(argc, argv, "sha256", cases, sizeof cases / sizeof *cases);
}
