/* Pictures of a scene: lines, areas, circles and texts in pixels, in the order of painting. Planar scenes as they are,
 * spatial ones by a projection. */
#ifndef PICUS_VIEW_PICTURE_H
#define PICUS_VIEW_PICTURE_H

#include "view/json.h"
#include "view/scene.h"

typedef enum picus_stroke_kind {
  PICUS_STROKE_LINE,
  PICUS_STROKE_AREA,
  PICUS_STROKE_CIRCLE,
  PICUS_STROKE_TEXT,
  PICUS_STROKE_BALL /* a circle, shaded */
} picus_stroke_kind;
/* Colours are 0xrrggbb; -1: none. */
typedef struct picus_stroke {
  picus_stroke_kind kind;
  bool moves;       /* it may differ between two rows */
  bool behind;      /* nothing can be behind it: it is painted first */
  int first, count; /* points */
  long line, fill;
  double width, radius; /* pixels */
  double depth;         /* larger: farther away */
  const char *text;     /* of the drawing */
} picus_stroke;
typedef struct picus_picture {
  picus_context *context;
  picus_stroke *strokes;
  size_t stroke_count, stroke_capacity;
  double (*points)[2]; /* pixels; y points down */
  size_t point_count, point_capacity;
} picus_picture;

/* Where a spatial scene is seen from. */
typedef struct picus_view {
  double azimuth, elevation; /* rad, of the direction to the viewer: about z from x, and above the x-y plane */
  bool perspective;
} picus_view;
picus_view picus_default_view(void); /* from a corner, parallel */

/* How the world becomes pixels. */
typedef struct picus_camera {
  double right[3], up[3], away[3];
  double scale, x, y; /* pixels per m; pixel of the origin */
  double eye;         /* m, distance of the eye to the middle; 0: a parallel projection */
  double middle[3];   /* m along right, up, away; only with an eye */
  double thick;       /* factor of the widths of lines and the sizes of marks */
  int width, height;
} picus_camera;
/* Shows everything that moves between two rows, and what is near it, in a picture of this size. view: NULL for the
 * default. */
picus_camera picus_camera_fit(picus_scene *scene, const picus_view *view, long first, long last, int width, int height);
/* Replaces the strokes by those of a row. */
picus_status picus_picture_draw(picus_picture *picture, picus_scene *scene, const picus_camera *camera, long row);
/* Adds contacts in front of it: points, and arrows of their forces on the body to which the normal points, coloured by
 * mode. The usual force, their median, has the same length in every picture; larger ones grow by their logarithm, as in
 * pages. */
picus_status picus_picture_add_contacts(picus_picture *picture, const picus_scene *scene, const picus_camera *camera,
                                        const picus_contact_list *list);
/* Both: the strokes of a row, with contacts if they are wanted. */
picus_status picus_picture_pose(picus_picture *picture, picus_scene *scene, const picus_camera *camera, long row,
                                bool contacts);
picus_status picus_usual_force(picus_context *context, const picus_contact_list *list, double *force); /* N; 0: none */
/* A colour between it and white (part 1) or black (part -1). */
long picus_tinted(long colour, double part);
/* A line between two points of the inertial frame in front of it; without an effect if one of them is not finite. */
picus_status picus_picture_add_line(picus_picture *picture, const picus_camera *camera, const double ends[2][3],
                                    long colour, double width);
void picus_picture_release(picus_picture *picture);
/* The picture as SVG. */
picus_status picus_picture_svg(const picus_picture *picture, const picus_camera *camera, picus_json *svg);

/* An SVG that plays these rows again and again, in so many seconds. */
typedef struct picus_animation {
  int count;
  const long *rows;
  double seconds;
  bool contacts; /* with their forces */
} picus_animation;
picus_status picus_picture_animate(picus_scene *scene, const picus_camera *camera, const picus_animation *animation,
                                   picus_json *svg);
/* An SVG with the poses of these rows beside each other; their times stand below. */
picus_status picus_picture_strip(picus_scene *scene, const picus_camera *camera, const picus_animation *animation,
                                 picus_json *svg);

#endif
