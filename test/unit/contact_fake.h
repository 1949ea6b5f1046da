/* Balls over rollers whose contacts come and go, and contacts without a simulation whose every number is known. */
#ifndef PICUS_TEST_CONTACT_FAKE_H
#define PICUS_TEST_CONTACT_FAKE_H

#include "record_fake.h"

#include "support/rollers.h"

/* --- a system --- */

typedef struct balls {
  rollers of;
  ball_parts parts;
  picus_context *context;
  picus_model *model;
  picus_system *system;
} balls;

/* A heap of balls that falls on a row of rollers. */
static inline rollers balls_falling(int count) {
  rollers r = {.balls = count,
               .count = 2 * count + 2,
               .ball_radius = 0.2,
               .mu = 0.3,
               .eN = 0.2,
               .appear = true,
               .margin = 0.02,
               .speed = 8};
  for (int j = 0; j < r.count; j++) {
    r.x[j] = 0.25 * (j - 1);
    r.y[j] = j % 3 == 1 ? -0.01 : 0;
    r.radius[j] = 0.1;
  }
  for (int i = 0; i < count; i++) {
    r.ball_x[i] = 0.06 + 0.45 * i;
    r.ball_y[i] = 0.33 + 0.01 * (i % 4);
    r.ball_vx[i] = 0.2 - 0.1 * (i % 5);
    r.ball_vy[i] = -0.3;
  }
  return r;
}

static inline bool balls_open(balls *b, rollers of, const picus_context_def *def) {
  *b = (balls){.of = of};
  b->of.parts = &b->parts;
  if (picus_context_create(def, &b->context)) return false;
  return rollers_system(b->context, &b->of, &b->model, &b->system) == PICUS_OK;
}

static inline void balls_close(balls *b) {
  picus_system_destroy(b->system);
  picus_model_destroy(b->model);
  CHECK(picus_context_memory(b->context) == 0);
  picus_context_destroy(b->context);
}

/* --- contacts of a row --- */

enum { FAKE_MOST = 100000 };

/* Row 0 has none, later rows a number that changes. */
static inline int contact_number(long row) {
  static const int numbers[] = {0, 1, 0, 7, 30, 41, 12, 0, 3, 15};
  return row % 200 == 50 ? 4096 : numbers[row % 10];
}

static inline picus_contact_point fake_contact(long row, int k) {
  const double x = sin(0.1 * (double)row + 0.01 * k), y = cos(0.1 * (double)row + 0.01 * k);
  return (picus_contact_point){.key = (uint64_t)(k + 1) * 0x9e3779b97f4a7c15u + (uint64_t)row,
                               .source = 1,
                               .body = {k % 3, k % 2 - 1},
                               .point = {x, y, 0.5 * k},
                               .normal = {x, y, 0},
                               .tangent = {-y, x, 0},
                               .gap = -1e-9 * k,
                               .vN = 0.125 * x,
                               .slip = {y, 1e-3 * k, 0},
                               .PN = 1 + k,
                               .PF = {0.3 * x, 0.3 * y, 0},
                               .PR = {0.01 * x, 0.02 * y},
                               .mu = 0.25 * x,
                               .mode = (picus_mode)(k % 3)};
}

static inline bool same_contact(const picus_contact_point *a, const picus_contact_point *b) {
  bool same = a->key == b->key && a->source == b->source && a->gap == b->gap && a->mu == b->mu &&
              a->PR[0] == b->PR[0] && a->PR[1] == b->PR[1] && a->vN == b->vN && a->PN == b->PN && a->mode == b->mode &&
              a->body[0] == b->body[0] && a->body[1] == b->body[1];
  for (int k = 0; k < 3; k++)
    same = same && a->point[k] == b->point[k] && a->normal[k] == b->normal[k] && a->tangent[k] == b->tangent[k] &&
           a->slip[k] == b->slip[k] && a->PF[k] == b->PF[k];
  return same;
}

/* A recorder of fake columns and contacts of a system. */
static inline picus_status fake_contacts_open(fake *f, const balls *b, int column_count, double expected_rows) {
  picus_status status = fake_open(f, b->context, column_count, expected_rows);
  if (status) return status;
  picus_recorder_destroy(f->recorder);
  f->recorder = NULL;
  f->run.system = b->system;
  picus_column_list list = {0};
  status = fake_columns(b->context, column_count, &list);
  return status ? status : picus_recorder_create_core(b->context, &f->run, &list, &f->recorder);
}

static inline picus_status fake_contact_rows(fake *f, long count) {
  static picus_contact_point contacts[4096];
  picus_status status = PICUS_OK;
  for (long k = 0; !status && k < count; k++) {
    const int number = contact_number(f->next_row);
    for (int i = 0; i < number; i++) contacts[i] = fake_contact(f->next_row, i);
    status = picus_recorder_add_contacts(f->recorder, fake_value(f->next_row, 0), number, contacts);
    if (!status) status = picus_recorder_add_row(f->recorder, fake_fill, f);
  }
  return status;
}

/* All contacts of a result are the fake's; false at the first that is not. */
static inline bool fake_contacts_match(picus_result *result) {
  for (long row = 0; row < picus_result_contact_rows(result); row++) {
    const picus_contact_point *contacts;
    const int count = picus_result_contact_count(result, row);
    if (count != contact_number(row) || picus_result_contacts(result, row, &contacts)) return false;
    for (int k = 0; k < count; k++) {
      const picus_contact_point expected = fake_contact(row, k);
      if (!same_contact(&contacts[k], &expected)) return false;
    }
  }
  return true;
}

#endif
