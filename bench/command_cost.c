/* The least processor time of a command over some rounds, its children included, and its peak memory.
 *
 *   command_cost ROUNDS COMMAND [ARGUMENT...]
 *
 * Prints "SECONDS MEGABYTES". What the command prints is thrown away; exit code 1 if it fails. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds_of(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

static void become(char **command) {
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0) (void)dup2(nowhere, STDOUT_FILENO);
  (void)execvp(command[0], command);
  perror(command[0]);
  _exit(127);
}

int main(int count, char **argument) {
  const long rounds = count > 2 ? strtol(argument[1], NULL, 10) : 0;
  double least = 1e9, most = 0;
  if (rounds < 1) {
    fprintf(stderr, "usage: command_cost ROUNDS COMMAND [ARGUMENT...]\n");
    return 2;
  }
  for (long k = 0; k < rounds; k++) {
    struct rusage used = {0};
    int status = 0;
    const pid_t child = fork();
    if (child == 0) become(argument + 2);
    if (child < 0 || wait4(child, &status, 0, &used) < 0) return 1;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return 1;
    const double seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
    if (seconds < least) least = seconds;
    if ((double)used.ru_maxrss > most) most = (double)used.ru_maxrss;
  }
  printf("%.6f %.1f\n", least, most / 1024);
  return 0;
}
