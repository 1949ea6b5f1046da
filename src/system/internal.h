/* Systems from the inside: what they consist of, their evaluation, and for builders and recorders what is below. Their
 * sources: source.h. */
#ifndef PICUS_SYSTEM_INTERNAL_H
#define PICUS_SYSTEM_INTERNAL_H

#include "system/contents.h"
#include "system/evaluation.h"

/* For builders of systems: sources and laws are to be filled in. Then the parts of each source with their sizes, and
 * the parts of each law (none given: the first one of the source that evaluates it), lead to the layout. */
picus_status picus_system_allocate(picus_context *context, int source_count, int law_count, picus_system **out);
picus_status picus_system_allocate_parts(picus_system *system); /* by part_count of the sources */
picus_status picus_system_layout_parts(picus_system *system);
/* After the layout of the parts: groups that couplings connect become one. The list must be there. */
picus_status picus_system_couple(picus_system *system);
picus_status picus_system_layout_laws(picus_system *system);
/* The place of one more law at the end of a set, whose data and parts are known. */
void picus_law_set_place(law_set *set, system_law *law);
/* The graph of the set, if it needs one. Memory grows by factors. */
picus_status picus_law_set_connect(picus_context *context, law_set *set);
void picus_law_graph_release(picus_context *context, law_graph *graph); /* a zeroed one is fine */

/* Fails if there is no such input, a number is not finite, or the input has no rate but gets one. */
picus_status picus_system_check_input(picus_context *context, const picus_system *system, int index,
                                      const picus_input *input);

void picus_controls_release(picus_system *system);
/* Of a switching function c (t - t_zero): its side in a time interval around t; NAN: it is none. */
bool picus_switch_is_near(const picus_system *system, int index, double t, double slack); /* |t - t_zero| <= slack */
double picus_switch_side_after(const picus_system *system, int index, double t); /* just after t; NAN likewise */
double picus_switch_side_at(const picus_system *system, int index, double t);
const char *picus_switch_text(const picus_system *system, int index); /* "x = 0.5" */
/* The side by values of a and b, `before` if they do not tell; and the one beyond the zero to which a has come. */
double picus_switch_side_of(const picus_system *system, int index, double a, double b, double before);
double picus_switch_other_side(const picus_system *system, int index, double side, double a);
bool picus_switch_is_table(const picus_system *system, int index);
/* Tables whose argument is linear in time switch at known times, where adaptive steps end: those between two times,
 * increasing for each table; returns their number. times may be NULL. */
int picus_system_kink_times(const picus_system *system, double after, double before, double *times);
bool picus_system_stops_at(const picus_system *system, double t); /* a stop time, or such a time of a table */
/* 1: on this side, the left of the text is larger; -1: the right. */
int picus_switch_text_side(const picus_system *system, int index, double side);

/* Columns for the recorder. */
int picus_system_observable_count(const picus_system *system);
picus_column picus_system_observable(const picus_system *system, int index);
picus_column picus_system_q_column(const picus_system *system, int index);
picus_column picus_system_u_column(const picus_system *system, int index);
picus_column picus_system_input_column(const picus_system *system, int index);
bool picus_system_q_recorded(const picus_system *system, int index);
bool picus_system_u_recorded(const picus_system *system, int index);
picus_status picus_system_observe(picus_evaluation *evaluation, double *values);

#endif
