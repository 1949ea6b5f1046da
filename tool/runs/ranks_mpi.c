/* The ranks of an MPI job. Rank 0 hands out the entries of the queue and makes runs as well: it answers requests while
 * it waits for its own runs. Ranks that wait sleep between two looks, because others may use the same core.
 *
 * A rank that dies ends the job: Open MPI kills the other ranks. Their runs are in journals. */
#include "cli/cli.h"
#include "platform/threads.h"
#include "ranks.h"

#include <mpi.h>
#include <stdlib.h>

enum { TAG_REQUEST = 1, TAG_ANSWER = 2 };

/* From a rank to rank 0. */
typedef struct request {
  long least;  /* entries; 0: it leaves, and needs no answer */
  long done;   /* runs that it has made */
  long status; /* of a rank that leaves; not 0: no rank gets entries any more */
} request;

struct cli_ranks {
  int number, count;
  bool is_alone; /* without MPI */
  long entries, taken, least;
  long done; /* of this rank */
  /* of rank 0: */
  bool is_closed; /* nothing is handed out any more */
  int present;    /* other ranks that have not left the queue */
  long *others;   /* runs of each rank, by its last request */
};

static void sleep_a_little(void) { picus_clock_wait(0.001); }

cli_ranks *cli_ranks_begin(char *const *words, bool is_alone) {
  int provided = MPI_THREAD_SERIALIZED, number = 0, count = 1;
  (void)words;
  if (!is_alone) { /* progress is told by one thread at a time, but not always by the same one */
    (void)MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &number);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &count);
  }
  cli_ranks *ranks = calloc(1, sizeof *ranks);
  if (ranks) *ranks = (cli_ranks){.number = number, .count = count, .is_alone = is_alone};
  if (ranks) ranks->others = calloc((size_t)count, sizeof *ranks->others);
  if (provided >= MPI_THREAD_SERIALIZED && ranks && ranks->others) return ranks;
  cli_complain(ranks && ranks->others ? "this MPI does not allow calls by several threads" : "out of memory");
  free(ranks);
  (void)MPI_Abort(MPI_COMM_WORLD, EXIT_RUN_FAILED); /* the others must not wait for this one */
  return NULL;
}

void cli_ranks_end(cli_ranks *ranks) {
  if (!ranks) return;
  if (!ranks->is_alone) (void)MPI_Finalize();
  free(ranks->others);
  free(ranks);
}

int cli_ranks_number(const cli_ranks *ranks) { return ranks->number; }

int cli_ranks_count(const cli_ranks *ranks) { return ranks->count; }

int cli_ranks_agree(cli_ranks *ranks, int value) {
  int largest = value, is_done = 0;
  MPI_Request waiting;
  if (ranks->is_alone) return value;
  (void)MPI_Iallreduce(&value, &largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &waiting);
  while (MPI_Test(&waiting, &is_done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !is_done) sleep_a_little();
  (void)MPI_Wait(&waiting, MPI_STATUS_IGNORE); /* returns at once */
  return largest;
}

void cli_ranks_set_queue(cli_ranks *ranks, long entries, long least) {
  ranks->entries = entries;
  ranks->least = least;
  ranks->present = ranks->count - 1;
}

/* Large pieces first, small ones at the end, so that all ranks end at about the same time. */
static void hand_out(cli_ranks *ranks, long least, long *first, long *count) {
  const long left = ranks->is_closed ? 0 : ranks->entries - ranks->taken, share = left / (4L * ranks->count);
  *first = ranks->taken;
  *count = share > least ? share : least < left ? least : left;
  ranks->taken += *count;
}

/* Rank 0: answers one request, if there is one. */
static bool answer_one(cli_ranks *ranks) {
  int is_there;
  MPI_Status from;
  request asked;
  (void)MPI_Iprobe(MPI_ANY_SOURCE, TAG_REQUEST, MPI_COMM_WORLD, &is_there, &from);
  if (!is_there) return false;
  (void)MPI_Recv(&asked, sizeof asked, MPI_BYTE, from.MPI_SOURCE, TAG_REQUEST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  ranks->others[from.MPI_SOURCE] = asked.done;
  if (asked.status) ranks->is_closed = true;
  if (asked.least == 0) {
    ranks->present--;
    return true;
  }
  long answer[2];
  hand_out(ranks, asked.least, &answer[0], &answer[1]);
  (void)MPI_Send(answer, 2, MPI_LONG, from.MPI_SOURCE, TAG_ANSWER, MPI_COMM_WORLD);
  return true;
}

static void send_request(cli_ranks *ranks, long least, int status) {
  const request asked = {.least = least, .done = ranks->done, .status = status};
  (void)MPI_Send(&asked, sizeof asked, MPI_BYTE, 0, TAG_REQUEST, MPI_COMM_WORLD);
}

void cli_ranks_claim(cli_ranks *ranks, long *first, long *count) {
  if (ranks->number == 0) {
    hand_out(ranks, ranks->least, first, count);
    return;
  }
  long answer[2];
  int is_there = 0;
  send_request(ranks, ranks->least, 0);
  while (MPI_Iprobe(0, TAG_ANSWER, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE) == MPI_SUCCESS && !is_there)
    sleep_a_little();
  (void)MPI_Recv(answer, 2, MPI_LONG, 0, TAG_ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  *first = answer[0];
  *count = answer[1];
}

long cli_ranks_serve(cli_ranks *ranks, long done) {
  ranks->done = done;
  if (ranks->number > 0) return done;
  while (answer_one(ranks)) {
  }
  for (int k = 1; k < ranks->count; k++) done += ranks->others[k];
  return done;
}

void cli_ranks_leave_queue(cli_ranks *ranks, int status) {
  if (ranks->number > 0) {
    send_request(ranks, 0, status);
    return;
  }
  if (status) ranks->is_closed = true;
  while (ranks->present > 0)
    if (!answer_one(ranks)) sleep_a_little();
}
