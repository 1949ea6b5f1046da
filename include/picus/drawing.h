/* Drawings of a model: shapes for the viewer, for pictures and for ParaView. A drawing never changes the motion.
 *
 * Shapes are given by points. The coordinates of a point are expressions in t, coordinates and velocities, in the
 * inertial frame or in a frame that moves with a body. A result file contains the drawing once, as the steps that
 * compute its points from the columns. Lengths are in m, line widths in pixels. */
#ifndef PICUS_DRAWING_H
#define PICUS_DRAWING_H

#include <picus/base.h>
#include <picus/expr.h>
#include <picus/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum picus_draw_kind {
  PICUS_DRAW_LINE,     /* through 2 points or more */
  PICUS_DRAW_POLYGON,  /* of 3 points or more */
  PICUS_DRAW_CIRCLE,   /* 1 point, radius; in the x-y plane of its frame */
  PICUS_DRAW_SPRING,   /* between 2 points, radius: half of its width */
  PICUS_DRAW_ARROW,    /* from the first to the second point */
  PICUS_DRAW_TEXT,     /* 1 point */
  PICUS_DRAW_GROUND,   /* a line through 2 points or more, hatched on its right side; in space with fill: an area, seen
                           from the side on which its points run counterclockwise */
  PICUS_DRAW_SPHERE,   /* 1 point, radius */
  PICUS_DRAW_BOX,      /* 2 opposite corners, edges along the axes of its frame */
  PICUS_DRAW_CYLINDER, /* between 2 points, radius */
  PICUS_DRAW_MESH,     /* triangles between its points */
  PICUS_DRAW_KINDS
} picus_draw_kind;
/* "line", "polygon", ...; NULL: there is no such kind. Lifetime: static. */
PICUS_API const char *picus_draw_kind_name(int kind);

/* A point or direction; the third component may be invalid: in the plane, 0. */
typedef struct picus_draw_vector {
  picus_expr x[3];
} picus_draw_vector; /* Lifetime: as long as the model */

/* A frame for shapes. Frame 0 is the inertial frame. rotation: row-major, from the frame to the inertial frame.
 * picus_body_add_draw_frame of bodies.h makes the frame of a body. */
typedef struct picus_draw_frame_def {
  const char *name;
  bool planar; /* its motion stays in the plane z = 0 */
  picus_draw_vector position;
  picus_expr rotation[9];
} picus_draw_frame_def;
PICUS_API picus_status picus_model_add_draw_frame(picus_model *model, const picus_draw_frame_def *def, int *frame);

typedef struct picus_draw_def {
  picus_draw_kind kind;
  int frame;
  const char *name; /* shapes with the same name are one object; NULL: the name of the frame */
  int count;
  const picus_draw_vector *points;
  picus_expr radius;       /* invalid: not given */
  const char *text;        /* TEXT */
  const char *line, *fill; /* colours: a name of picus_draw_colour, "#rrggbb" or "none"; NULL: the default */
  double width;            /* of lines, pixels; 0: the default */
  int face_count;          /* MESH */
  const int *faces;        /* face_count x 3 numbers of points, from 0 */
} picus_draw_def;
PICUS_API picus_draw_def picus_default_draw_def(picus_draw_kind kind);
/* The arrays and texts are copied. */
PICUS_API picus_status picus_model_add_draw(picus_model *model, const picus_draw_def *def);
/* The names of colours, which follow the light or dark theme of the viewer; NULL ends. Lifetime: as long as the
 * program. */
PICUS_API const char *picus_draw_colour(int index);

/* Where a contact or friction element acts: percussions appear there as PN normal + PF1 tangent[0] + PF2 tangent[1], on
 * the body that the normal points to. Contacts of bodies have a default site; another site replaces it. In the plane,
 * an invalid tangent is the normal rotated by -90 degrees. */
typedef struct picus_contact_site_def {
  const char *law;
  picus_draw_vector place, normal, tangent[2];
} picus_contact_site_def;
PICUS_API picus_contact_site_def picus_default_contact_site_def(void);
PICUS_API picus_status picus_model_set_contact_site(picus_model *model, const picus_contact_site_def *def);

/* A complete drawing, of a model or read from a result. All values are computed by steps: step k applies op to the
 * values of earlier steps. -1 stands for no step. */
typedef struct picus_draw_step {
  picus_op op;     /* NUMBER: value; VARIABLE: argument[0] is an index of variables */
  int argument[3]; /* earlier steps */
  double value;
} picus_draw_step;
typedef struct picus_draw_frame {
  const char *name;
  bool planar;
  int position[3], rotation[9]; /* steps */
} picus_draw_frame;
typedef struct picus_draw_shape {
  picus_draw_kind kind;
  int frame;
  const char *name, *text, *line, *fill; /* never NULL */
  double width;
  int radius;                 /* step */
  int first_point, count;     /* in points */
  int first_face, face_count; /* in faces */
} picus_draw_shape;
typedef struct picus_draw_site {
  const char *law;
  int place[3], normal[3], tangent[2][3]; /* steps */
} picus_draw_site;
typedef struct picus_drawing {
  bool planar;
  int variable_count; /* names of columns */
  const char *const *variables;
  int step_count;
  const picus_draw_step *steps;
  int frame_count; /* at least 1, the inertial frame */
  const picus_draw_frame *frames;
  int shape_count;
  const picus_draw_shape *shapes;
  int point_count;
  const int (*points)[3]; /* steps */
  int face_count;
  const int (*faces)[3]; /* points, counted from the first point of the shape */
  int site_count;
  const picus_draw_site *sites;
} picus_drawing;

/* A new drawing with all shapes of a complete model; NULL: it has none. */
PICUS_API picus_status picus_model_make_drawing(const picus_model *model, picus_drawing **out);
PICUS_API void picus_drawing_destroy(picus_drawing *drawing);
/* The values of all steps from the values of the variables: variable_count numbers in, step_count numbers out. */
PICUS_API void picus_drawing_evaluate(const picus_drawing *drawing, const double *variables, double *values);

#ifdef __cplusplus
}
#endif

#endif
