/* The drawing of a result at its rows: points in the inertial frame, and tracks, the values that change with time. */
#ifndef PICUS_VIEW_SCENE_H
#define PICUS_VIEW_SCENE_H

#include "view/contact.h"

#include <picus/result.h>

typedef struct picus_scene {
  picus_context *context;
  picus_result *result;
  const picus_drawing *drawing;
  long rows;
  const double *t;
  const double **columns;    /* of the drawing's variables; NULL: the file has no such column */
  double *variables, *steps; /* of the row that was evaluated last */
  bool *varies;              /* by step: it depends on a variable */
  double size;               /* m, diagonal of the box that the moving points pass through */
  double low[3], high[3];    /* the box of everything drawn */
  /* Tracks: first the varying steps of points, radii and sites; then the poses of the frames: x, y, angle in the
   * plane, x, y, z and a quaternion (scalar first) in space. */
  int track_count;
  int *step_track; /* by step: its track; -1: none */
  int *pose_track; /* by frame: its first track; -1: it does not move */
  double *reach;   /* by track: displacement of a point for a change by 1; 0: not a motion */
  int group_count; /* of consecutive tracks: of a shape, of a site, of a frame; in space its rotation is one */
  int *group_first;
} picus_scene;

/* The result must have a drawing and rows, and must outlive the scene. */
picus_status picus_scene_create(picus_context *context, picus_result *result, picus_scene **out);
void picus_scene_destroy(picus_scene *scene);
/* The row nearest to a time. */
long picus_scene_row(const picus_scene *scene, double t);
/* Whether a frame, a shape, depends on a variable; fixed bodies and half-spaces do not. */
bool picus_scene_frame_moves(const picus_scene *scene, int frame);
bool picus_scene_shape_moves(const picus_scene *scene, const picus_draw_shape *shape);
/* Computes the steps of a row. */
void picus_scene_evaluate(picus_scene *scene, long row);
/* From the steps: a point in the inertial frame, a radius, and all tracks. Angles and quaternions continue those of the
 * tracks before; NULL: there are none. */
void picus_scene_point(const picus_scene *scene, int frame, const int steps[3], double point[3]);
double picus_scene_value(const picus_scene *scene, int step); /* 0 for -1 */
void picus_scene_tracks(const picus_scene *scene, const double *before, double *tracks);

/* Tracks that share their rows: those of all bodies, or those of one body. */
typedef struct picus_track_group {
  int first, count; /* tracks */
  long row_count;
  long *rows;      /* increasing; with the first and the last */
  double *values;  /* row_count x count */
  size_t capacity; /* rows */
} picus_track_group;
/* A choice of rows between which values may be interpolated linearly. */
typedef struct picus_thinning {
  long count;
  long *rows; /* of columns; increasing; with the first and the last */
  int group_count;
  picus_track_group *groups; /* one with the rows of the columns, or those of the scene */
  double tolerance;          /* m: error of a drawn point between these rows is at most this */
  double relative;           /* error of a column there, relative to its range */
  bool events_kept;          /* the rows before and after each switching point are among those of tracks */
} picus_thinning;
typedef struct picus_thinning_options {
  double tolerance;   /* relative to the size of the scene; it grows until the rows are few enough */
  long most;          /* rows of columns; also of tracks unless apart */
  bool apart;         /* each moving object has rows of its own, columns too */
  size_t most_values; /* apart: of all tracks, with one for each row of a group */
  bool strict;        /* not apart: the tolerance does not grow; PICUS_ERROR_UNSUPPORTED, no message: too many rows */
  int column_count;   /* columns that are interpolated, too */
  const double **columns; /* row_count values each */
} picus_thinning_options;
picus_status picus_scene_thin(picus_scene *scene, const picus_thinning_options *options, picus_thinning *out);
void picus_thinning_release(picus_context *context, picus_thinning *thinning);

/* --- contacts ----------------------------------------------------------------------------------------------------- */

/* The contacts of a result at a row, as pictures show them: those of laws whose place the drawing states, and those
 * that come and go. */
typedef struct picus_contact_list {
  picus_scene_contact *contacts;
  size_t count, capacity;
} picus_contact_list;

/* The time in which the percussions of a row acted, s: since the row before, in older files that of one step. */
double picus_scene_row_time(const picus_scene *scene, long row);
/* Replaces the list. The scene is evaluated at the row. */
picus_status picus_scene_contacts(picus_scene *scene, long row, picus_contact_list *list);
void picus_contact_list_release(picus_context *context, picus_contact_list *list);

#endif
