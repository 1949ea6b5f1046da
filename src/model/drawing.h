/* The drawing of a model: shapes with their points in frames, and the sites of laws. */
#ifndef PICUS_MODEL_DRAWING_H
#define PICUS_MODEL_DRAWING_H

#include <picus/bodies.h>
#include <picus/model.h>
#include <picus/result.h>

/* The drawing: shapes, with their points, in frames; and the sites of laws. */
typedef struct picus_model_shape {
  picus_draw_kind kind;
  int frame, first_point, count, first_face, face_count;
  const char *name, *text, *line, *fill;
  double width;
  picus_expr radius;
} picus_model_shape;
typedef struct picus_model_draw_frame {
  const char *name;
  bool planar;
  picus_draw_vector position;
  picus_expr rotation[9];
} picus_model_draw_frame;
typedef struct picus_model_site {
  int law;
  picus_draw_vector place, normal, tangent[2];
} picus_model_site;
/* From the origin of a body to a joint at it. */
typedef struct picus_model_limb {
  double length; /* m */
  int body;      /* among the bodies of the model */
  const char *name;
  picus_draw_vector ends[2];
} picus_model_limb;
typedef struct picus_model_draw {
  int frame_count, shape_count, point_count, face_count, site_count, limb_count;
  size_t frame_capacity, shape_capacity, point_capacity, face_capacity, site_capacity, limb_capacity;
  picus_model_limb *limbs;        /* drawn if nothing else shows their bodies */
  bool by_hand;                   /* the model draws itself */
  picus_model_draw_frame *frames; /* frame 0 is not among them: frame k is frames[k - 1] */
  picus_model_shape *shapes;
  picus_draw_vector *points;
  int (*faces)[3];
  picus_model_site *sites;
} picus_model_draw;

/* Adds what a model that draws nothing itself shows besides its shapes. */
picus_status picus_model_draw_rest(picus_model *model);
void picus_model_release_drawing(picus_context *context, picus_model_draw *draw);
/* An empty drawing whose arrays picus_drawing_destroy releases; its texts are kept with picus_drawing_keep. */
picus_drawing *picus_drawing_create(picus_context *context);
const char *picus_drawing_keep(picus_drawing *drawing, const char *text); /* NULL: out of memory */

#endif
