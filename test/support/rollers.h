/* Disks in a plane that roll and bounce over fixed disks, the rollers, and against each other: a source of laws between
 * the parts of a model. Every pair may be a fixed law, or a law that exists only while the disks are near: both by the
 * same arithmetic. */
#ifndef PICUS_TEST_ROLLERS_H
#define PICUS_TEST_ROLLERS_H

#include "system/law_set.h"

#include <picus/picus.h>

enum { ROLLERS_MOST = 80, BALLS_MOST = 40 };

/* The parts of the balls' coordinates, x, y and phi of each in turn. */
typedef struct ball_parts {
  int count, first[3 * BALLS_MOST], size[3 * BALLS_MOST];
} ball_parts;

typedef struct rollers {
  ball_parts *parts; /* filled when the system is made */
  int balls, count;  /* rollers */
  double x[ROLLERS_MOST], y[ROLLERS_MOST], radius[ROLLERS_MOST];
  double ball_radius;
  double ball_x[BALLS_MOST], ball_y[BALLS_MOST], ball_vx[BALLS_MOST], ball_vy[BALLS_MOST]; /* initially */
  double mu, eN, eF;
  double rolling;  /* m, rolling radius; 0: no rolling friction */
  bool appear;     /* laws come and go; else all pairs are fixed laws */
  double margin;   /* m: pairs that are nearer are listed */
  double speed;    /* m/s: and nearer than dt times this */
  bool scramble;   /* keys in another order than pairs */
  bool repeat_key; /* wrong: two laws have one key */
  bool drawn;      /* the balls are circles in pictures */
  bool wall;       /* one more law, of the model itself */
  long *searches;  /* counts laws that come and go whose directions are evaluated; NULL: nobody asks */
  double scale;    /* of the rate of the first coordinate, x' = scale v; 0: 1 */
} rollers;

/* The model of the balls with the laws of the pairs. r must outlive the system. */
picus_status rollers_system(picus_context *context, const rollers *r, picus_model **model, picus_system **out);
int rollers_pairs(const rollers *r);
uint64_t rollers_key(const rollers *r, int pair);

#endif
