/* What the files of model files share: loading, and the words that build a model, in a session of src/lua. */
#ifndef PICUS_MODEL_FILE_INTERNAL_H
#define PICUS_MODEL_FILE_INTERNAL_H

#include "lua/internal.h"

#include <picus/bodies.h>

/* load.c */
/* The model with its source text and overrides, before the file has run; and after it. */
picus_status picus_lua_start_model(picus_context *context, const char *name, const char *text, size_t length,
                                   const picus_load_options *options, picus_model **model);
picus_status picus_lua_end_model(picus_model *model);
/* A session that is not open yet. options: NULL for none. */
picus_lua picus_lua_new_session(picus_context *context, picus_model *model, const char *file,
                                const picus_load_options *options);
/* bodies.c: bodies as values. */
/* The body at position i of a definition, given as a value or by its name. */
const picus_body *picus_lua_get_body(const picus_lua_table *table, int position);
/* Pushes a body that has no entry in the list of bodies by names. */
void picus_lua_push_body(lua_State *L, const picus_body *body);
/* Shapes for a body that is about to be made. Lua owns the memory as long as the stack keeps what it had. */
typedef struct picus_lua_shapes {
  int count;
  picus_body_shape_def *defs;
} picus_lua_shapes;
/* Make a body or a frame with shapes and push it; the results of a keyword. */
int picus_lua_make_body(picus_lua_table *table, const picus_body_def *def, const picus_lua_shapes *shapes);
int picus_lua_make_frame(picus_lua_table *table, const picus_frame_def *def, const picus_lua_shapes *shapes);
/* orientation = { p0, p1, p2, p3 }; or axis = { ... }, angle = number */
void picus_lua_get_orientation(const picus_lua_table *table, double p[4]);
/* shapes.c: the entry shape = { ... } of a body; none if there is no such entry. dimension: 2, 3, or 0 if open. */
picus_lua_shapes picus_lua_read_shapes(const picus_lua_table *table, int dimension);
/* Mass and inertia by the entry density or mass; the shapes move so that their centre of mass is the origin. */
void picus_lua_weigh_shapes(const picus_lua_table *table, picus_lua_shapes *shapes, picus_body_def *def);
void picus_lua_open_bodies(lua_State *L);      /* particle, planar_body, spatial_body, frame, ground, gravity */
void picus_lua_open_joints(lua_State *L);      /* joints and motors */
void picus_lua_open_body_forces(lua_State *L); /* spring, torsion_spring, actuator, body_force */
void picus_lua_open_pairs(lua_State *L);       /* contacts of bodies */
void picus_lua_open_shapes(lua_State *L);      /* shapes, material, collide */
void picus_lua_open_draw(lua_State *L);        /* draw */
void picus_lua_open_signals(lua_State *L); /* signals.c: table, state, next_values, gap, force, mode, on, stop_when */

/* keywords.c, symbols.c: the keywords of the model language. */
/* Makes the coordinates and velocities from these numbers on known as q.NAME and u.NAME. */
void picus_lua_store_symbols(lua_State *L, int first_coordinate, int first_velocity);
void picus_lua_open_symbols(lua_State *L);  /* model, parameters, inputs, coordinates, velocities, rates */
void picus_lua_open_keywords(lua_State *L); /* energies, laws, outputs, run */
void picus_lua_open_flexible(lua_State *L); /* flexible.c: bar, structure */
void picus_lua_open_beams(lua_State *L);    /* beams.c: beam, framework */

/* beam_sections.c: pushes the function `section` of a beam or a framework. */
void picus_lua_push_sections(lua_State *L, const char *name, bool is_beam);

/* flexible.c: entries that components share. */
double picus_lua_require_number(const picus_lua_table *table, const char *key);
/* record = { numbers }: what becomes a column of results; its length, -1: everything. The list stays on the stack. */
int picus_lua_get_record(const picus_lua_table *table, const int **record);
/* true: 1, false: 0, not given: -1. */
int picus_lua_get_choice(const picus_lua_table *table, const char *key);
/* Rayleigh damping: beta, or { alpha, beta }. */
void picus_lua_get_rayleigh(const picus_lua_table *table, const char *key, double *alpha, double *beta);

#endif
