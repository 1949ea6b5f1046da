#define _POSIX_C_SOURCE 200809L
#include "film.h"

#include "base/internal.h"
#include "base/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *ending_of(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot ? dot + 1 : "";
}

bool cli_is_film(const char *path) {
  return strcmp(ending_of(path), "mp4") == 0 || strcmp(ending_of(path), "webm") == 0;
}

/* A program of the folders in PATH; false: there is none. */
static bool find_program(const char *name, char *found, size_t size) {
  const char *folders = getenv("PATH");
  while (folders && *folders) {
    const size_t length = strcspn(folders, ":");
    const int written = snprintf(found, size, "%.*s/%s", (int)length, folders, name);
    if (length > 0 && written > 0 && (size_t)written < size && access(found, X_OK) == 0) return true;
    folders += length + (folders[length] == ':');
  }
  return false;
}

/* In the new process: never returns. */
static void become_ffmpeg(const char *program, const cli_film *film, const cli_film_format *f, int input) {
  char size[40], rate[40], output[PICUS_PATH_SIZE + 16];
  snprintf(size, sizeof size, "%dx%d", f->width, f->height);
  snprintf(rate, sizeof rate, "%.6f", f->rate);
  /* a name such as http:x is a file, too */
  const int length = snprintf(output, sizeof output, "file:%s", film->file.part);
  if (length > 0 && (size_t)length < sizeof output && dup2(input, STDIN_FILENO) >= 0) {
    close(input);
    close(film->pipe);
    /* widths and heights of films are even */
    execl(program, "ffmpeg", "-loglevel", "error", "-f", "rawvideo", "-pixel_format", "bgr0", "-video_size", size,
          "-framerate", rate, "-i", "pipe:0", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-pix_fmt", "yuv420p",
          "-map_metadata", "-1", "-fflags", "+bitexact", "-f", ending_of(film->path), "-y", output, (char *)NULL);
  }
  _exit(127);
}

picus_status cli_film_open(picus_context *context, const char *path, const cli_film_format *format, cli_film *film) {
  char program[4096];
  int ends[2];
  *film = (cli_film){.context = context, .path = path, .pipe = -1, .file = {.descriptor = -1}};
  if (!find_program("ffmpeg", program, sizeof program))
    return picus_fail(context, PICUS_ERROR_UNSUPPORTED,
                      "films need ffmpeg, which is not installed; install it, or write pictures with --out FOLDER/");
  picus_status status = picus_output_open(context, path, &film->file);
  if (status) return status;
  if (!film->file.part) return picus_fail(context, PICUS_ERROR_ARGUMENT, "a film needs a regular file, not '%s'", path);
  if (pipe(ends) != 0) return picus_fail(context, PICUS_ERROR_IO, "cannot start ffmpeg: %s", strerror(errno));
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  film->pipe = ends[1];
  signal(SIGPIPE, SIG_IGN); /* if ffmpeg ends early, its exit code says so */
  film->process = fork();
  if (film->process == 0) become_ffmpeg(program, film, format, ends[0]);
  close(ends[0]);
  if (film->process < 0) return picus_fail(context, PICUS_ERROR_IO, "cannot start ffmpeg: %s", strerror(errno));
  return PICUS_OK;
}

picus_status cli_film_add(cli_film *film, const void *pixels, size_t size) {
  const char *from = pixels;
  while (size > 0) {
    const ssize_t written = write(film->pipe, from, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      return picus_fail(film->context, PICUS_ERROR_IO, "ffmpeg does not take the pictures of '%s'", film->path);
    from += written;
    size -= (size_t)written;
  }
  return PICUS_OK;
}

picus_status cli_film_close(cli_film *film, picus_status status) {
  int code = 0;
  if (film->pipe >= 0) close(film->pipe);
  if (film->process > 0) {
    while (waitpid(film->process, &code, 0) < 0 && errno == EINTR) continue;
    if (!status && code != 0)
      status = picus_fail(film->context, PICUS_ERROR_IO, "ffmpeg could not write '%s'", film->path);
  }
  if (!status)
    status = picus_output_publish(&film->file);
  else
    picus_output_discard(&film->file);
  *film = (cli_film){.pipe = -1};
  return status;
}
