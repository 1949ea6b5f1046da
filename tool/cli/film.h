/* Films: pictures that ffmpeg, a program of its own, turns into MP4 or WebM. */
#ifndef PICUS_CLI_FILM_H
#define PICUS_CLI_FILM_H

#include "base/output_file.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct cli_film {
  picus_context *context;
  const char *path;
  picus_output_file file; /* whose part ffmpeg writes */
  pid_t process;
  int pipe;
} cli_film;
typedef struct cli_film_format {
  int width, height; /* pixels */
  double rate;       /* pictures per second */
} cli_film_format;

bool cli_is_film(const char *path); /* by its ending: .mp4 or .webm */
/* Starts ffmpeg. A message says so if it is not installed. */
picus_status cli_film_open(picus_context *context, const char *path, const cli_film_format *format, cli_film *film);
/* Adds a picture: width x height pixels of 4 bytes, blue first. */
picus_status cli_film_add(cli_film *film, const void *pixels, size_t size);
/* Waits for ffmpeg. The file appears if all went well; with a failure before, nothing remains. */
picus_status cli_film_close(cli_film *film, picus_status status);

#endif
