/* Pictures of a scene as SVG: one, an animation, a strip of poses. */
#include "view/picture.h"

#include <string.h>

enum { NO_COLOUR = -1 };

static void put_colour(picus_json *svg, const char *name, long colour) {
  if (colour < 0)
    picus_json_format(svg, " %s=\"none\"", name);
  else
    picus_json_format(svg, " %s=\"#%06lx\"", name, (unsigned long)colour);
}

/* Text of XML: the characters of markup become references, control characters are left out. */
static void put_xml(picus_json *svg, const char *text) {
  for (const char *c = text; *c; c++) {
    if (strchr("<>&'\"", *c))
      picus_json_format(svg, "&#%d;", *c);
    else if ((unsigned char)*c >= ' ' && *c != 127)
      picus_json_add(svg, c, 1);
  }
}

static void put_stroke(picus_json *svg, const picus_picture *picture, const picus_stroke *s) {
  const double(*p)[2] = (const double(*)[2])picture->points + s->first;
  if (s->kind == PICUS_STROKE_TEXT) {
    picus_json_format(
        svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" dominant-baseline=\"middle\" font-size=\"14\"",
        p[0][0], p[0][1]);
    put_colour(svg, "fill", s->line);
    picus_json_put(svg, ">");
    put_xml(svg, s->text);
    picus_json_put(svg, "</text>\n");
    return;
  }
  if (s->kind == PICUS_STROKE_CIRCLE || s->kind == PICUS_STROKE_BALL)
    picus_json_format(svg, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"", p[0][0], p[0][1], s->radius);
  else {
    picus_json_put(svg, s->kind == PICUS_STROKE_AREA ? "<polygon points=\"" : "<polyline points=\"");
    for (int i = 0; i < s->count; i++) picus_json_format(svg, "%s%.1f,%.1f", i ? " " : "", p[i][0], p[i][1]);
    picus_json_put(svg, "\"");
  }
  put_colour(svg, "stroke", s->line);
  if (s->kind == PICUS_STROKE_BALL && s->fill >= 0)
    picus_json_format(svg, " fill=\"url(#ball%06lx)\"", (unsigned long)s->fill);
  else
    put_colour(svg, "fill", s->kind == PICUS_STROKE_LINE ? NO_COLOUR : s->fill);
  picus_json_format(svg, " stroke-width=\"%.2g\"/>\n", s->width);
}

/* The shades of balls, once for each colour in a row of equal ones. */
static void put_shades(picus_json *svg, const picus_picture *picture) {
  long known[32];
  int count = 0;
  for (size_t k = 0; k < picture->stroke_count; k++) {
    const picus_stroke *s = &picture->strokes[k];
    bool is_known = s->kind != PICUS_STROKE_BALL || s->fill < 0;
    for (int i = 0; i < count; i++) is_known = is_known || known[i] == s->fill;
    if (is_known) continue;
    if (count < 32) known[count++] = s->fill; /* further colours are repeated, which is allowed */
    picus_json_format(svg,
                      "<radialGradient id=\"ball%06lx\" fx=\"0.35\" fy=\"0.3\"><stop offset=\"0\" "
                      "stop-color=\"#%06lx\"/><stop offset=\"0.5\" stop-color=\"#%06lx\"/><stop offset=\"1\" "
                      "stop-color=\"#%06lx\"/></radialGradient>\n",
                      (unsigned long)s->fill, (unsigned long)picus_tinted(s->fill, 0.55), (unsigned long)s->fill,
                      (unsigned long)picus_tinted(s->fill, -0.4));
  }
}

static void put_strokes(picus_json *svg, const picus_picture *picture, int which) {
  if (which != 0) put_shades(svg, picture);
  for (size_t k = 0; k < picture->stroke_count; k++)
    if (which < 0 || picture->strokes[k].moves == (which == 1)) put_stroke(svg, picture, &picture->strokes[k]);
}

static void put_head(picus_json *svg, double width, double height) {
  picus_json_format(svg,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" height=\"%g\" "
                    "font-family=\"DejaVu Sans, sans-serif\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n"
                    "<rect width=\"%g\" height=\"%g\" fill=\"#ffffff\"/>\n",
                    width, height, width, height, width, height);
}

picus_status picus_picture_svg(const picus_picture *picture, const picus_camera *camera, picus_json *svg) {
  put_head(svg, camera->width, camera->height);
  put_strokes(svg, picture, -1);
  picus_json_put(svg, "</svg>\n");
  return svg->status;
}

/* One frame: shown from k/n to (k + 1)/n of the time. */
static void put_frame_head(picus_json *svg, int k, int n, double seconds) {
  picus_json_format(svg, "<g%s>", k == 0 ? "" : " display=\"none\"");
  if (n < 2) return;
  if (k == 0)
    picus_json_format(svg, "<animate attributeName=\"display\" values=\"inline;none\" keyTimes=\"0;%.6g\"", 1.0 / n);
  else
    picus_json_format(svg, "<animate attributeName=\"display\" values=\"none;inline;none\" keyTimes=\"0;%.6g;%.6g\"",
                      (double)k / n, k + 1 < n ? (k + 1.0) / n : 1.0);
  picus_json_format(svg, " calcMode=\"discrete\" dur=\"%.4gs\" repeatCount=\"indefinite\"/>\n", seconds);
}

picus_status picus_picture_animate(picus_scene *scene, const picus_camera *camera, const picus_animation *a,
                                   picus_json *svg) {
  picus_picture picture = {.context = scene->context};
  const bool planar = scene->drawing->planar; /* in space the order of painting changes */
  put_head(svg, camera->width, camera->height);
  picus_status status = picus_picture_draw(&picture, scene, camera, a->rows[0]);
  if (!status && planar) put_strokes(svg, &picture, 0);
  for (int k = 0; !status && k < a->count; k++) {
    status = picus_picture_pose(&picture, scene, camera, a->rows[k], a->contacts);
    put_frame_head(svg, k, a->count, a->seconds);
    put_strokes(svg, &picture, planar ? 1 : -1);
    picus_json_put(svg, "</g>\n");
  }
  picus_json_put(svg, "</svg>\n");
  picus_picture_release(&picture);
  return status ? status : svg->status;
}

picus_status picus_picture_strip(picus_scene *scene, const picus_camera *camera, const picus_animation *a,
                                 picus_json *svg) {
  picus_picture picture = {.context = scene->context};
  picus_status status = PICUS_OK;
  const int foot = 24;
  put_head(svg, (double)camera->width * a->count, camera->height + foot);
  for (int k = 0; !status && k < a->count; k++) {
    status = picus_picture_pose(&picture, scene, camera, a->rows[k], a->contacts);
    picus_json_format(svg, "<svg x=\"%d\" width=\"%d\" height=\"%d\">\n", k * camera->width, camera->width,
                      camera->height);
    put_strokes(svg, &picture, -1);
    picus_json_format(svg,
                      "</svg>\n<text x=\"%g\" y=\"%d\" text-anchor=\"middle\" font-size=\"13\">t = %.4g s</text>\n",
                      (k + 0.5) * camera->width, camera->height + 15, scene->t[a->rows[k]]);
  }
  picus_json_put(svg, "</svg>\n");
  picus_picture_release(&picture);
  return status ? status : svg->status;
}
