/* Percussions of contacts that come and go in rows that lie many steps apart: no contact loses any, also if it has
 * vanished before the row. The momentum of all bodies and the sums of all steps are known. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MASS 2.0
#define G 9.81

/* Disks that fall between planes, with friction and spin. */
static const char *const disks =
    "gravity {0, -9.81}\nmaterial {'default', mu = 0.3, eN = 0.5}\n"
    "half_space {'floor', normal = {0, 1}}\nhalf_space {'left', normal = {1, 0}, position = {-0.3, 0}}\n"
    "half_space {'right', normal = {-0.8, 0.6}, position = {0.3, 0}}\n"
    "for i = 1, 5 do disk {'d' .. i, suffix = tostring(i), radius = 0.05, mass = 2,\n"
    "  position = {-0.2 + 0.03 * i, 0.06 + 0.11 * i}, velocity = {1 - 0.4 * i, -0.5 * i}, omega = 3 * i} end\n";
/* Spheres with rolling friction and spin. */
static const char *const spheres =
    "gravity {0, 0, -9.81}\nmaterial {'default', mu = 0.4, eN = 0.3, rolling = 1e-3, spin_radius = 1e-3}\nfloor "
    "{'floor'}\n"
    "half_space {'wall', normal = {1, 0, 0}, position = {-0.3, 0, 0}}\n"
    "for i = 1, 4 do sphere {'s' .. i, suffix = tostring(i), radius = 0.05, mass = 2,\n"
    "  position = {-0.2 + 0.02 * i, 0.01 * i, 0.1 * i}, velocity = {-0.5 * i, 0.3, -0.2 * i}} end\n";

/* --- what the contacts of a run did ------------------------------------------------------------------------------ */

enum { MOST_CONTACTS = 64 };
typedef struct sums {
  double ground[3];                               /* N s: on all bodies from what does not move */
  double PN[MOST_CONTACTS], PF[MOST_CONTACTS][2]; /* of each contact */
  uint64_t key[MOST_CONTACTS];
  int count;
  long rows, open; /* contacts that are open and have a percussion */
  double first;    /* sum of |PN| in the row t = 0 */
} sums;

static int find_contact(sums *s, uint64_t key) {
  for (int i = 0; i < s->count; i++)
    if (s->key[i] == key) return i;
  if (s->count == MOST_CONTACTS) return 0;
  s->key[s->count] = key;
  return s->count++;
}

static picus_status add_contacts(void *self, const picus_contact_sample *sample) {
  sums *s = self;
  s->rows++;
  for (int k = 0; k < sample->count; k++) {
    const picus_contact_point *c = &sample->contacts[k];
    const double *n = c->normal, *t = c->tangent;
    const double b[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]};
    const int i = find_contact(s, c->key);
    s->PN[i] += c->PN;
    for (int j = 0; j < 2; j++) s->PF[i][j] += c->PF[j];
    if (c->mode == PICUS_OPEN && c->PN > 0) s->open++;
    if (sample->t == 0) s->first += fabs(c->PN);
    if (k > 0) CHECK(c[-1].source < c->source || (c[-1].source == c->source && c[-1].key < c->key));
    for (int j = 0; j < 3 && (c->body[0] < 0) != (c->body[1] < 0); j++)
      s->ground[j] += (c->body[0] < 0 ? -1 : 1) * (c->PN * n[j] + c->PF[0] * t[j] + c->PF[1] * b[j]);
  }
  return PICUS_OK;
}

typedef struct sampling {
  const char *scheme;
  long every;
  double sample;
  bool adaptive;
} sampling;

/* Runs and adds up; momentum: of all bodies at the end less that at the start, less that of gravity. */
static bool run(const char *text, sampling how, int bodies, double t_end, sums *out, double momentum[3]) {
  simulation s;
  picus_sim_options o;
  picus_recorder *recorder = NULL;
  *out = (sums){0};
  if (!simulation_load_text(&s, text, &o)) return false;
  o.scheme = how.scheme;
  o.dt = 1e-3;
  o.t_end = t_end;
  o.every = how.every;
  o.sample = how.sample;
  o.adaptive = how.adaptive;
  o.dt_min = 1e-6;
  o.dt_max = 1e-2;
  o.atol = o.rtol = 1e-6;
  bool fine = simulation_start(&s, &o);
  const picus_run_description description = {s.model, s.system, &o, "test"};
  const picus_state state = picus_sim_state(s.sim);
  const int axes = state.nu / bodies == 3 ? 2 : 3;
  for (int j = 0; fine && j < 3; j++) momentum[j] = 0;
  for (int i = 0; fine && i < bodies * axes; i++)
    momentum[i % axes] -= MASS * state.u[i / axes * (state.nu / bodies) + i % axes];
  fine = fine && CHECK(!picus_recorder_create(s.context, &description, &recorder)) &&
         CHECK(!picus_recorder_add_sink(recorder, (picus_sink){.self = out, .write_contacts = add_contacts}));
  if (fine && !CHECK(picus_sim_run(s.sim, recorder, NULL, NULL) == PICUS_OK)) {
    printf("  %s\n", picus_last_error(s.context)->message);
    fine = false;
  }
  const picus_state end = picus_sim_state(s.sim);
  for (int i = 0; fine && i < bodies * axes; i++)
    momentum[i % axes] += MASS * end.u[i / axes * (state.nu / bodies) + i % axes];
  momentum[axes - 1] += MASS * G * t_end * bodies;
  picus_recorder_destroy(recorder);
  simulation_close(&s);
  return fine;
}

static void check_momentum(const sums *s, const double momentum[3], sampling how) {
  double size = 0;
  for (int j = 0; j < 3; j++) size = fmax(size, fabs(momentum[j]));
  for (int j = 0; j < 3; j++)
    if (!CHECK(fabs(s->ground[j] - momentum[j]) <= 1e-12 * size))
      printf("  %s, every %ld, sample %g: axis %d, %.17g of %.17g N s\n", how.scheme, how.every, how.sample, j,
             s->ground[j], momentum[j]);
  CHECK(s->first == 0);
}

/* --- tests ------------------------------------------------------------------------------------------------------- */

/* The change of the momentum is that of gravity and of all percussions of the planes, whatever rows are recorded. */
static void momentum_is_that_of_the_table(void) {
  static const sampling how[] = {{.scheme = "moreau", .every = 1},        {.scheme = "moreau", .every = 7},
                                 {.scheme = "moreau", .every = 1000},     {.scheme = "moreau", .sample = 0.0137},
                                 {.scheme = "moreau-jean", .every = 50},  {.scheme = "moreau-combined", .every = 50},
                                 {.scheme = "rattle", .every = 50},       {.scheme = "rattle", .sample = 0.05},
                                 {.scheme = "half-explicit", .every = 50}};
  for (size_t k = 0; k < sizeof how / sizeof *how; k++) {
    sums s;
    double momentum[3];
    const double t_end = how[k].sample > 0 ? 40 * how[k].sample : 1;
    if (run(disks, how[k], 5, t_end, &s, momentum)) check_momentum(&s, momentum, how[k]);
    CHECK(how[k].every == 1 || s.open > 0); /* contacts that came and went between two rows */
  }
  for (size_t k = 1; k < 7; k += 5) {
    sums s;
    double momentum[3];
    if (run(spheres, how[k], 4, 1, &s, momentum)) check_momentum(&s, momentum, how[k]);
  }
}

/* Samples inside of adaptive steps have a share of their percussions; the end is a sample. */
static void adaptive_samples_lose_nothing(void) {
  static const sampling how[] = {{.scheme = "rattle", .every = 1, .adaptive = true},
                                 {.scheme = "rattle", .every = 20, .adaptive = true},
                                 {.scheme = "rattle", .sample = 0.05, .adaptive = true},
                                 {.scheme = "moreau", .sample = 0.0008, .adaptive = true}};
  for (size_t k = 0; k < sizeof how / sizeof *how; k++) {
    sums s;
    double momentum[3];
    if (!run(disks, how[k], 5, 0.2, &s, momentum)) continue;
    const double size = fmax(fabs(momentum[0]), fabs(momentum[1]));
    for (int j = 0; j < 2; j++)
      if (!CHECK(size > 1 && fabs(s.ground[j] - momentum[j]) <= 1e-12 * size))
        printf("  run %zu: axis %d, %.9g of %.9g N s\n", k, j, s.ground[j], momentum[j]);
  }
}

/* Each contact has the sum of its percussions of all steps. */
static void every_contact_keeps_its_own(void) {
  static const long every[] = {1, 3, 64, 5000};
  sums all = {0}, s;
  double momentum[3];
  for (size_t k = 0; k < sizeof every / sizeof *every; k++) {
    if (!run(spheres, (sampling){.scheme = "moreau", .every = every[k]}, 4, 1, &s, momentum)) return;
    CHECK(s.rows == (every[k] > 1000 ? 2 : (1000 + every[k] - 1) / every[k] + 1));
    if (k == 0) all = s;
    CHECK(s.count >= 6 && s.count <= all.count);
    for (int i = 0; i < s.count; i++) {
      const int same = find_contact(&all, s.key[i]);
      CHECK_NEAR(s.PN[i], all.PN[same], 1e-13 * fabs(all.PN[same]));
      for (int j = 0; j < 2; j++) CHECK_NEAR(s.PF[i][j], all.PF[same][j], 1e-13 * fabs(all.PN[same]));
    }
    for (int i = 0; i < all.count; i++)
      if (all.PN[i] > 0) find_contact(&s, all.key[i]);
    CHECK(s.count <= all.count);
  }
}

/* A ball that has hit and left the floor: the row has its contact, open, where it was. */
typedef struct last_row {
  picus_contact_point contact;
  int count;
  double t;
} last_row;
static picus_status keep_row(void *self, const picus_contact_sample *sample) {
  last_row *row = self;
  row->count = sample->count;
  row->t = sample->t;
  if (sample->count > 0) row->contact = sample->contacts[0];
  return PICUS_OK;
}

static void a_contact_between_two_rows(void) {
  simulation s;
  picus_sim_options o;
  picus_recorder *recorder = NULL;
  last_row row = {0};
  picus_summary summary;
  const char *text = "gravity {0, 0, -9.81}\nmaterial {'default', mu = 0, eN = 0.8}\nfloor {'floor'}\n"
                     "sphere {'ball', radius = 0.05, mass = 2, position = {0.3, 0.2, 0.15}, velocity = {1, 0, -5}}\n";
  if (!simulation_load_text(&s, text, &o)) return;
  o.scheme = "moreau";
  o.dt = 1e-3;
  o.t_end = 0.2;
  o.every = 200;
  if (simulation_start(&s, &o)) {
    const picus_run_description description = {s.model, s.system, &o, "test"};
    CHECK(!picus_recorder_create(s.context, &description, &recorder));
    CHECK(!picus_recorder_add_sink(recorder, (picus_sink){.self = &row, .write_contacts = keep_row}));
    CHECK(picus_sim_run(s.sim, recorder, NULL, &summary) == PICUS_OK);
    const picus_state end = picus_sim_state(s.sim);
    const picus_contact_point *c = &row.contact;
    CHECK(row.count == 1 && row.t == 0.2 && c->mode == PICUS_OPEN);
    CHECK_NEAR(c->PN, MASS * (end.u[2] + 5 + G * 0.2), 1e-12);
    CHECK_NEAR(c->normal[2] * (c->body[0] < 0 ? -1 : 1), 1, 1e-12);
    CHECK_NEAR(c->point[0], 0.3 + 0.02, 2e-3); /* after 20 ms, not where the ball is */
    CHECK_NEAR(c->gap, 0, 6e-3);
  }
  picus_recorder_destroy(recorder);
  simulation_close(&s);
}

/* Recording changes no bit of the motion, and adds no contacts that never acted. */
static void steps_do_not_notice(void) {
  for (int k = 0; k < 2; k++) {
    sums s;
    double momentum[2][3];
    if (run(disks, (sampling){.scheme = k ? "rattle" : "moreau", .every = 1}, 5, 0.7, &s, momentum[0]) &&
        run(disks, (sampling){.scheme = k ? "rattle" : "moreau", .every = 90}, 5, 0.7, &s, momentum[1]))
      CHECK(memcmp(momentum[0], momentum[1], sizeof momentum[0]) == 0);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"momentum_is_that_of_the_table", momentum_is_that_of_the_table},
                                    {"adaptive_samples_lose_nothing", adaptive_samples_lose_nothing},
                                    {"every_contact_keeps_its_own", every_contact_keeps_its_own},
                                    {"a_contact_between_two_rows", a_contact_between_two_rows},
                                    {"steps_do_not_notice", steps_do_not_notice}};
  return test_main(argc, argv, "contact_sums", cases, sizeof cases / sizeof *cases);
}
