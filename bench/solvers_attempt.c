#include "solvers_attempt.h"

#include "clock.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WALL_PER_PROCESSOR = 5 };

attempt failed_attempt(void) { return (attempt){.seconds = INFINITY, .error = INFINITY, .relative = INFINITY}; }

/* --- in the child ---------------------------------------------------------------------------------------------- */

static bool open_candidate(const attempt_task *task, double tolerance, candidate *out) {
  const contender *c = task->contender;
  return c->solver ? picus_candidate_open(c->solver, task->posed, tolerance, out)
                   : siconos_candidate_open(c->number, task->posed, tolerance, out);
}

/* The measure of the benchmark, and the residual of Picus. */
static void judge(const attempt_task *task, double *P, attempt *a) {
  for (int row = 0; task->percussion != 1 && row < task->judged->size; row++) P[row] *= task->percussion;
  a->error = picus_contact_residuals(task->judged, P).de_saxce;
  a->relative = picus_contact_residual(task->judged, P, NULL).relative;
}

/* Repeats until 50 ms or half of a second are gone, whichever comes with at least three runs; the shortest that solves
 * the problem again counts: some solvers end sooner the second time, with nothing. */
static void repeat(candidate *r, const attempt_task *task, double *P, attempt *a) {
  double begin = seconds_now();
  solve_result result;
  for (int k = 0; k < 2000 && seconds_now() - begin < (k < 3 ? 0.5 : 0.05); k++) {
    attempt again = *a;
    if (!r->solve(r->state, P, &result) || !result.claimed || result.seconds >= a->seconds) continue;
    judge(task, P, &again);
    if (again.error <= task->tolerance) a->seconds = result.seconds;
  }
}

static attempt try_contender(const attempt_task *task) {
  attempt a = failed_attempt();
  double *P = calloc((size_t)task->posed->size + 1, sizeof *P);
  for (int k = 0; P && k < 5 && !a.solved; k++) {
    candidate r;
    solve_result result;
    a.own_tolerance = task->tolerance * pow(10, -k);
    if (!open_candidate(task, a.own_tolerance, &r)) break;
    if (task->warm && task->contender->solver) picus_candidate_start_at(&r, task->warm);
    bool done = r.solve(r.state, P, &result);
    a.claimed = done && result.claimed;
    a.iterations = result.iterations;
    judge(task, P, &a);
    a.solved = done && a.error <= task->tolerance;
    a.seconds = result.seconds;
    if (a.solved) repeat(&r, task, P, &a);
    r.close(r.state);
    if (!a.claimed) break;
  }
  free(P);
  return a;
}

/* The child ends after so much processor time: another process on the machine must not cost it its chance. */
static void limit_child(double seconds) {
  struct itimerval timer = {.it_value = {(time_t)seconds, (suseconds_t)(1e6 * (seconds - floor(seconds)))}};
  (void)setitimer(ITIMER_PROF, &timer, NULL);
}

static void run_child(const attempt_task *task, int pipe_end) {
  int nothing = open("/dev/null", O_WRONLY);
  if (nothing >= 0) {
    (void)dup2(nothing, STDOUT_FILENO);
    (void)dup2(nothing, STDERR_FILENO);
  }
  attempt a = try_contender(task);
  _exit(write(pipe_end, &a, sizeof a) == (ssize_t)sizeof a ? 0 : 1);
}

/* --- seen from outside ----------------------------------------------------------------------------------------- */

attempt measure_attempt(const attempt_task *task) {
  attempt a = failed_attempt();
  int ends[2];
  (void)fflush(stdout);
  if (pipe(ends) != 0) return a;
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    limit_child(task->limit);
    run_child(task, ends[1]);
  }
  close(ends[1]);
  struct pollfd ready = {.fd = ends[0], .events = POLLIN};
  if (child > 0 && poll(&ready, 1, (int)(1000 * WALL_PER_PROCESSOR * task->limit)) > 0 &&
      read(ends[0], &a, sizeof a) != (ssize_t)sizeof a)
    a = failed_attempt();
  close(ends[0]);
  if (child > 0) {
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
  }
  return a;
}
