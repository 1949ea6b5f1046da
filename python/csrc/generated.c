/* Made by scripts/python-api from the public headers: do not change it here. */
/* clang-format off */
#include "core.h"

PyObject *picus_column_dict(const picus_column *v) {
  PyObject *d = PyDict_New();
  put(&d, "name", text_object(v->name));
  put(&d, "unit", text_object(v->unit));
  put(&d, "label", text_object(v->label));
  put(&d, "kind", PyLong_FromLong(v->kind));
  return d;
}

PyObject *picus_column_error_dict(const picus_column_error *v) {
  PyObject *d = PyDict_New();
  put(&d, "name", text_object(v->name));
  put(&d, "unit", text_object(v->unit));
  put(&d, "uniform", PyFloat_FromDouble(v->uniform));
  put(&d, "l1", PyFloat_FromDouble(v->l1));
  put(&d, "l2", PyFloat_FromDouble(v->l2));
  put(&d, "t_worst", PyFloat_FromDouble(v->t_worst));
  put(&d, "range", PyFloat_FromDouble(v->range));
  put(&d, "scale", PyFloat_FromDouble(v->scale));
  return d;
}

PyObject *picus_event_state_dict(const picus_event_state *v) {
  PyObject *d = PyDict_New();
  put(&d, "name", text_object(v->name));
  put(&d, "count", PyLong_FromLong(v->count));
  put(&d, "t", PyFloat_FromDouble(v->t));
  return d;
}

PyObject *picus_handle_dict(const picus_handle *v) {
  PyObject *d = PyDict_New();
  put(&d, "frame", PyLong_FromLong(v->frame));
  put(&d, "count", PyLong_FromLong(v->count));
  put(&d, "point", list_of(4, (PyObject *[]){PyLong_FromLong(v->point[0]), PyLong_FromLong(v->point[1]), PyLong_FromLong(v->point[2]), PyLong_FromLong(v->point[3])}));
  return d;
}

PyObject *picus_input_dict(const picus_input *v) {
  PyObject *d = PyDict_New();
  put(&d, "value", PyFloat_FromDouble(v->value));
  put(&d, "rate", PyFloat_FromDouble(v->rate));
  put(&d, "t", PyFloat_FromDouble(v->t));
  return d;
}

PyObject *picus_input_def_dict(const picus_input_def *v) {
  PyObject *d = PyDict_New();
  put(&d, "name", text_object(v->name));
  put(&d, "start", PyFloat_FromDouble(v->start));
  put(&d, "rate", PyFloat_FromDouble(v->rate));
  put(&d, "has_rate", PyBool_FromLong(v->has_rate));
  put(&d, "unit", text_object(v->unit));
  put(&d, "label", text_object(v->label));
  return d;
}

PyObject *picus_law_match_dict(const picus_law_match *v) {
  PyObject *d = PyDict_New();
  put(&d, "law", text_object(v->law));
  put(&d, "matched", PyLong_FromLong(v->matched));
  put(&d, "missing", PyLong_FromLong(v->missing));
  put(&d, "extra", PyLong_FromLong(v->extra));
  put(&d, "unresolved", PyLong_FromLong(v->unresolved));
  put(&d, "time_difference", PyFloat_FromDouble(v->time_difference));
  put(&d, "t_worst", PyFloat_FromDouble(v->t_worst));
  return d;
}

PyObject *picus_multiplier_dict(const picus_multiplier *v) {
  PyObject *d = PyDict_New();
  put(&d, "re", PyFloat_FromDouble(v->re));
  put(&d, "im", PyFloat_FromDouble(v->im));
  return d;
}

PyObject *picus_native_report_dict(const picus_native_report *v) {
  PyObject *d = PyDict_New();
  put(&d, "operations", PyLong_FromLong(v->operations));
  put(&d, "interpreted", PyLong_FromLong(v->interpreted));
  put(&d, "objects", PyLong_FromLong(v->objects));
  put(&d, "compiled", PyLong_FromLong(v->compiled));
  put(&d, "note", text_object(v->note));
  return d;
}

PyObject *picus_orbit_data_dict(const picus_orbit_data *v) {
  PyObject *d = PyDict_New();
  put(&d, "t", PyFloat_FromDouble(v->t));
  put(&d, "period", PyFloat_FromDouble(v->period));
  put(&d, "residual", PyFloat_FromDouble(v->residual));
  put(&d, "iterations", PyLong_FromLong(v->iterations));
  put(&d, "is_stable", PyBool_FromLong(v->is_stable));
  put(&d, "velocity", PyFloat_FromDouble(v->velocity));
  put(&d, "velocity_law", PyLong_FromLong(v->velocity_law));
  put(&d, "reserve", PyFloat_FromDouble(v->reserve));
  put(&d, "reserve_law", PyLong_FromLong(v->reserve_law));
  put(&d, "gap", PyFloat_FromDouble(v->gap));
  put(&d, "gap_law", PyLong_FromLong(v->gap_law));
  put(&d, "recheck", PyFloat_FromDouble(v->recheck));
  put(&d, "recheck_agrees", PyBool_FromLong(v->recheck_agrees));
  return d;
}

PyObject *picus_orbit_point_dict(const picus_orbit_point *v) {
  PyObject *d = PyDict_New();
  put(&d, "t", PyFloat_FromDouble(v->t));
  put(&d, "change", PyLong_FromLong(v->change));
  put(&d, "name", text_object(v->name));
  put(&d, "law", PyLong_FromLong(v->law));
  put(&d, "from", PyLong_FromLong(v->from));
  put(&d, "to", PyLong_FromLong(v->to));
  put(&d, "velocity", PyFloat_FromDouble(v->velocity));
  return d;
}

PyObject *picus_parameter_dict(const picus_parameter *v) {
  PyObject *d = PyDict_New();
  put(&d, "name", text_object(v->name));
  put(&d, "value", PyFloat_FromDouble(v->value));
  put(&d, "default_value", PyFloat_FromDouble(v->default_value));
  put(&d, "unit", text_object(v->unit));
  put(&d, "description", text_object(v->description));
  return d;
}

PyObject *picus_system_law_dict(const picus_system_law *v) {
  PyObject *d = PyDict_New();
  put(&d, "name", text_object(v->name));
  put(&d, "kind", PyLong_FromLong(v->kind));
  put(&d, "has_gap", PyBool_FromLong(v->has_gap));
  put(&d, "slips", PyLong_FromLong(v->slips));
  put(&d, "dim", PyLong_FromLong(v->dim));
  put(&d, "first_row", PyLong_FromLong(v->first_row));
  put(&d, "mu", PyFloat_FromDouble(v->mu));
  put(&d, "reservoir", PyFloat_FromDouble(v->reservoir));
  put(&d, "eN", PyFloat_FromDouble(v->eN));
  put(&d, "eF", PyFloat_FromDouble(v->eF));
  put(&d, "impact", PyLong_FromLong(v->impact));
  put(&d, "rolling", PyFloat_FromDouble(v->rolling));
  put(&d, "adhesion", PyFloat_FromDouble(v->adhesion));
  put(&d, "displaced", PyBool_FromLong(v->displaced));
  put(&d, "moves", PyBool_FromLong(v->moves));
  put(&d, "loaded", PyBool_FromLong(v->loaded));
  put(&d, "varies", PyBool_FromLong(v->varies));
  return d;
}

PyObject *picus_present_law_dict(const picus_present_law *v) {
  PyObject *d = PyDict_New();
  put(&d, "law", picus_system_law_dict(&v->law));
  put(&d, "is_fixed", PyBool_FromLong(v->is_fixed));
  put(&d, "source", PyLong_FromLong(v->source));
  put(&d, "key", PyLong_FromUnsignedLongLong(v->key));
  return d;
}

PyObject *picus_accepted_residual_dict(const picus_accepted_residual *v) {
  PyObject *d = PyDict_New();
  put(&d, "t", PyFloat_FromDouble(v->t));
  put(&d, "relative", PyFloat_FromDouble(v->relative));
  put(&d, "laws", PyLong_FromLong(v->laws));
  put(&d, "name", list_of(3, (PyObject *[]){text_object(v->name[0]), text_object(v->name[1]), text_object(v->name[2])}));
  put(&d, "of_law", list_of(3, (PyObject *[]){PyFloat_FromDouble(v->of_law[0]), PyFloat_FromDouble(v->of_law[1]), PyFloat_FromDouble(v->of_law[2])}));
  return d;
}

PyObject *picus_summary_solver_dict(const picus_summary_solver *v) {
  PyObject *d = PyDict_New();
  put(&d, "iterations", PyLong_FromLong(v->iterations));
  put(&d, "iterations_max", PyLong_FromLong(v->iterations_max));
  put(&d, "fallbacks", PyLong_FromLong(v->fallbacks));
  put(&d, "accepted", PyLong_FromLong(v->accepted));
  put(&d, "worst_accepted", picus_accepted_residual_dict(&v->worst_accepted));
  put(&d, "worst_residual", PyFloat_FromDouble(v->worst_residual));
  put(&d, "worst_residual_t", PyFloat_FromDouble(v->worst_residual_t));
  return d;
}

PyObject *picus_passage_count_dict(const picus_passage_count *v) {
  PyObject *d = PyDict_New();
  put(&d, "count", PyLong_FromLong(v->count));
  put(&d, "t", PyFloat_FromDouble(v->t));
  put(&d, "law", PyLong_FromLong(v->law));
  put(&d, "travel", PyFloat_FromDouble(v->travel));
  put(&d, "gap", PyFloat_FromDouble(v->gap));
  return d;
}

PyObject *picus_depth_count_dict(const picus_depth_count *v) {
  PyObject *d = PyDict_New();
  put(&d, "steps", PyLong_FromLong(v->steps));
  put(&d, "t", PyFloat_FromDouble(v->t));
  put(&d, "law", PyLong_FromLong(v->law));
  put(&d, "name", text_object(v->name));
  put(&d, "depth", PyFloat_FromDouble(v->depth));
  put(&d, "explained", PyFloat_FromDouble(v->explained));
  return d;
}

PyObject *picus_summary_gaps_dict(const picus_summary_gaps *v) {
  PyObject *d = PyDict_New();
  put(&d, "penetration", PyFloat_FromDouble(v->penetration));
  put(&d, "penetration_t", PyFloat_FromDouble(v->penetration_t));
  put(&d, "penetration_law", PyLong_FromLong(v->penetration_law));
  put(&d, "penetration_name", text_object(v->penetration_name));
  put(&d, "constraint", PyFloat_FromDouble(v->constraint));
  put(&d, "constraint_t", PyFloat_FromDouble(v->constraint_t));
  put(&d, "constraint_law", PyLong_FromLong(v->constraint_law));
  put(&d, "passed", picus_passage_count_dict(&v->passed));
  put(&d, "unexplained", picus_depth_count_dict(&v->unexplained));
  return d;
}

PyObject *picus_summary_energy_dict(const picus_summary_energy *v) {
  PyObject *d = PyDict_New();
  put(&d, "start", PyFloat_FromDouble(v->start));
  put(&d, "end", PyFloat_FromDouble(v->end));
  put(&d, "dissipated", PyFloat_FromDouble(v->dissipated));
  put(&d, "dissipated_by_impulses", PyFloat_FromDouble(v->dissipated_by_impulses));
  put(&d, "spurious", PyFloat_FromDouble(v->spurious));
  put(&d, "driven", PyFloat_FromDouble(v->driven));
  put(&d, "work", PyFloat_FromDouble(v->work));
  return d;
}

PyObject *picus_paradox_count_dict(const picus_paradox_count *v) {
  PyObject *d = PyDict_New();
  put(&d, "steps", PyLong_FromLong(v->steps));
  put(&d, "t", PyFloat_FromDouble(v->t));
  put(&d, "law", PyLong_FromLong(v->law));
  put(&d, "branch", PyLong_FromLong(v->branch));
  return d;
}

PyObject *picus_summary_impact_energy_dict(const picus_summary_impact_energy *v) {
  PyObject *d = PyDict_New();
  put(&d, "gains", PyLong_FromLong(v->gains));
  put(&d, "gained", PyFloat_FromDouble(v->gained));
  put(&d, "gained_t", PyFloat_FromDouble(v->gained_t));
  put(&d, "limited", PyLong_FromLong(v->limited));
  return d;
}

PyObject *picus_summary_implicit_dict(const picus_summary_implicit *v) {
  PyObject *d = PyDict_New();
  put(&d, "newton_iterations", PyLong_FromLong(v->newton_iterations));
  put(&d, "newton_iterations_max", PyLong_FromLong(v->newton_iterations_max));
  put(&d, "projection_iterations", PyLong_FromLong(v->projection_iterations));
  put(&d, "projection_iterations_max", PyLong_FromLong(v->projection_iterations_max));
  put(&d, "set_iterations", PyLong_FromLong(v->set_iterations));
  put(&d, "set_iterations_max", PyLong_FromLong(v->set_iterations_max));
  put(&d, "prox_first", PyLong_FromLong(v->prox_first));
  put(&d, "prox_first_max", PyLong_FromLong(v->prox_first_max));
  put(&d, "prox_second", PyLong_FromLong(v->prox_second));
  put(&d, "prox_second_max", PyLong_FromLong(v->prox_second_max));
  put(&d, "prox_failed", PyLong_FromLong(v->prox_failed));
  put(&d, "worst_projection", PyFloat_FromDouble(v->worst_projection));
  return d;
}

PyObject *picus_overlap_count_dict(const picus_overlap_count *v) {
  PyObject *d = PyDict_New();
  put(&d, "steps", PyLong_FromLong(v->steps));
  put(&d, "t", PyFloat_FromDouble(v->t));
  put(&d, "name", text_object(v->name));
  put(&d, "depth", PyFloat_FromDouble(v->depth));
  return d;
}

PyObject *picus_summary_shapes_dict(const picus_summary_shapes *v) {
  PyObject *d = PyDict_New();
  put(&d, "repeated", PyLong_FromLong(v->repeated));
  put(&d, "repetitions_max", PyLong_FromLong(v->repetitions_max));
  put(&d, "overlaps", picus_overlap_count_dict(&v->overlaps));
  return d;
}

PyObject *picus_summary_adaptive_dict(const picus_summary_adaptive *v) {
  PyObject *d = PyDict_New();
  put(&d, "base_steps", PyLong_FromLong(v->base_steps));
  put(&d, "rejected", PyLong_FromLong(v->rejected));
  put(&d, "switching_points", PyLong_FromLong(v->switching_points));
  put(&d, "order_largest", PyLong_FromLong(v->order_largest));
  put(&d, "dt_least", PyFloat_FromDouble(v->dt_least));
  put(&d, "dt_largest", PyFloat_FromDouble(v->dt_largest));
  put(&d, "missed", PyLong_FromLong(v->missed));
  put(&d, "rounded", PyLong_FromLong(v->rounded));
  put(&d, "worst_miss", PyFloat_FromDouble(v->worst_miss));
  put(&d, "worst_miss_t", PyFloat_FromDouble(v->worst_miss_t));
  return d;
}

PyObject *picus_summary_dict(const picus_summary *v) {
  PyObject *d = PyDict_New();
  put(&d, "status", PyLong_FromLong(v->status));
  put(&d, "steps", PyLong_FromLong(v->steps));
  put(&d, "t_start", PyFloat_FromDouble(v->t_start));
  put(&d, "t_end", PyFloat_FromDouble(v->t_end));
  put(&d, "seconds", PyFloat_FromDouble(v->seconds));
  put(&d, "contact_steps", PyLong_FromLong(v->contact_steps));
  put(&d, "shortened", PyLong_FromLong(v->shortened));
  put(&d, "impacts", PyLong_FromLong(v->impacts));
  put(&d, "chatter", PyLong_FromLong(v->chatter));
  put(&d, "rows", PyLong_FromLong(v->rows));
  put(&d, "events_cut", PyLong_FromLong(v->events_cut));
  put(&d, "events_until", PyFloat_FromDouble(v->events_until));
  put(&d, "switched", PyLong_FromLong(v->switched));
  put(&d, "switched_t", PyFloat_FromDouble(v->switched_t));
  put(&d, "solver", picus_summary_solver_dict(&v->solver));
  put(&d, "gaps", picus_summary_gaps_dict(&v->gaps));
  put(&d, "energy", picus_summary_energy_dict(&v->energy));
  put(&d, "indeterminate", picus_paradox_count_dict(&v->indeterminate));
  put(&d, "inconsistent", picus_paradox_count_dict(&v->inconsistent));
  put(&d, "steep", picus_paradox_count_dict(&v->steep));
  put(&d, "locked", picus_paradox_count_dict(&v->locked));
  put(&d, "impact_energy", picus_summary_impact_energy_dict(&v->impact_energy));
  put(&d, "implicit", picus_summary_implicit_dict(&v->implicit));
  put(&d, "shapes", picus_summary_shapes_dict(&v->shapes));
  put(&d, "adaptive", picus_summary_adaptive_dict(&v->adaptive));
  put(&d, "model_events", PyLong_FromLong(v->model_events));
  put(&d, "stopped_by", text_object(v->stopped_by));
  return d;
}

PyObject *picus_reference_attempt_dict(const picus_reference_attempt *v) {
  PyObject *d = PyDict_New();
  put(&d, "dt_min", PyFloat_FromDouble(v->dt_min));
  put(&d, "dt_max", PyFloat_FromDouble(v->dt_max));
  put(&d, "tolerance", PyFloat_FromDouble(v->tolerance));
  put(&d, "order_max", PyLong_FromLong(v->order_max));
  put(&d, "summary", picus_summary_dict(&v->summary));
  put(&d, "switchings", PyLong_FromLong(v->switchings));
  put(&d, "difference", PyFloat_FromDouble(v->difference));
  put(&d, "time_difference", PyFloat_FromDouble(v->time_difference));
  put(&d, "unlike", PyLong_FromLong(v->unlike));
  put(&d, "worst", text_object(v->worst));
  put(&d, "accuracy", PyFloat_FromDouble(v->accuracy));
  return d;
}

PyObject *picus_residuals_dict(const picus_residuals *v) {
  PyObject *d = PyDict_New();
  put(&d, "signorini", PyFloat_FromDouble(v->signorini));
  put(&d, "cone", PyFloat_FromDouble(v->cone));
  put(&d, "dissipation", PyFloat_FromDouble(v->dissipation));
  put(&d, "worst_signorini", PyLong_FromLong(v->worst_signorini));
  put(&d, "worst_cone", PyLong_FromLong(v->worst_cone));
  put(&d, "worst_dissipation", PyLong_FromLong(v->worst_dissipation));
  put(&d, "de_saxce", PyFloat_FromDouble(v->de_saxce));
  put(&d, "fclib", PyFloat_FromDouble(v->fclib));
  return d;
}

PyObject *picus_result_law_dict(const picus_result_law *v) {
  PyObject *d = PyDict_New();
  put(&d, "name", text_object(v->name));
  put(&d, "kind", text_object(v->kind));
  put(&d, "slips", PyLong_FromLong(v->slips));
  put(&d, "source", PyLong_FromLong(v->source));
  put(&d, "key", PyLong_FromUnsignedLongLong(v->key));
  return d;
}

PyObject *picus_rollout_end_dict(const picus_rollout_end *v) {
  PyObject *d = PyDict_New();
  put(&d, "status", PyLong_FromLong(v->status));
  put(&d, "t", PyFloat_FromDouble(v->t));
  put(&d, "steps", PyLong_FromLong(v->steps));
  put(&d, "impacts", PyLong_FromLong(v->impacts));
  put(&d, "rows", PyLong_FromLong(v->rows));
  put(&d, "message", text_object(v->message));
  return d;
}

PyObject *picus_solver_options_dict(const picus_solver_options *v) {
  PyObject *d = PyDict_New();
  put(&d, "solver", text_object(v->solver));
  put(&d, "tolerance", PyFloat_FromDouble(v->tolerance));
  put(&d, "max_iterations", PyLong_FromLong(v->max_iterations));
  put(&d, "relaxation", PyFloat_FromDouble(v->relaxation));
  put(&d, "no_fallback", PyBool_FromLong(v->no_fallback));
  put(&d, "facets", PyLong_FromLong(v->facets));
  put(&d, "minimum_norm", PyBool_FromLong(v->minimum_norm));
  put(&d, "accept_residual", PyFloat_FromDouble(v->accept_residual));
  put(&d, "heap_tolerance", PyFloat_FromDouble(v->heap_tolerance));
  return d;
}

PyObject *picus_implicit_options_dict(const picus_implicit_options *v) {
  PyObject *d = PyDict_New();
  put(&d, "forecast", PyLong_FromLong(v->forecast));
  put(&d, "forecast_factor", PyFloat_FromDouble(v->forecast_factor));
  put(&d, "metric", PyLong_FromLong(v->metric));
  put(&d, "projection", PyLong_FromLong(v->projection));
  put(&d, "newton_tolerance", PyFloat_FromDouble(v->newton_tolerance));
  put(&d, "projection_tolerance", PyFloat_FromDouble(v->projection_tolerance));
  put(&d, "newton_max", PyLong_FromLong(v->newton_max));
  put(&d, "slip_direction", PyLong_FromLong(v->slip_direction));
  put(&d, "prox_r", PyFloat_FromDouble(v->prox_r));
  put(&d, "mean_forces", PyBool_FromLong(v->mean_forces));
  put(&d, "newton_printed", PyBool_FromLong(v->newton_printed));
  put(&d, "stages", PyBool_FromLong(v->stages));
  return d;
}

PyObject *picus_tableau_dict(const picus_tableau *v) {
  PyObject *d = PyDict_New();
  put(&d, "stages", PyLong_FromLong(v->stages));
  put(&d, "order", PyLong_FromLong(v->order));
  put(&d, "rows", list_of(8, (PyObject *[]){list_of(8, (PyObject *[]){PyFloat_FromDouble(v->rows[0][0]), PyFloat_FromDouble(v->rows[0][1]), PyFloat_FromDouble(v->rows[0][2]), PyFloat_FromDouble(v->rows[0][3]), PyFloat_FromDouble(v->rows[0][4]), PyFloat_FromDouble(v->rows[0][5]), PyFloat_FromDouble(v->rows[0][6]), PyFloat_FromDouble(v->rows[0][7])}), list_of(8, (PyObject *[]){PyFloat_FromDouble(v->rows[1][0]), PyFloat_FromDouble(v->rows[1][1]), PyFloat_FromDouble(v->rows[1][2]), PyFloat_FromDouble(v->rows[1][3]), PyFloat_FromDouble(v->rows[1][4]), PyFloat_FromDouble(v->rows[1][5]), PyFloat_FromDouble(v->rows[1][6]), PyFloat_FromDouble(v->rows[1][7])}), list_of(8, (PyObject *[]){PyFloat_FromDouble(v->rows[2][0]), PyFloat_FromDouble(v->rows[2][1]), PyFloat_FromDouble(v->rows[2][2]), PyFloat_FromDouble(v->rows[2][3]), PyFloat_FromDouble(v->rows[2][4]), PyFloat_FromDouble(v->rows[2][5]), PyFloat_FromDouble(v->rows[2][6]), PyFloat_FromDouble(v->rows[2][7])}), list_of(8, (PyObject *[]){PyFloat_FromDouble(v->rows[3][0]), PyFloat_FromDouble(v->rows[3][1]), PyFloat_FromDouble(v->rows[3][2]), PyFloat_FromDouble(v->rows[3][3]), PyFloat_FromDouble(v->rows[3][4]), PyFloat_FromDouble(v->rows[3][5]), PyFloat_FromDouble(v->rows[3][6]), PyFloat_FromDouble(v->rows[3][7])}), list_of(8, (PyObject *[]){PyFloat_FromDouble(v->rows[4][0]), PyFloat_FromDouble(v->rows[4][1]), PyFloat_FromDouble(v->rows[4][2]), PyFloat_FromDouble(v->rows[4][3]), PyFloat_FromDouble(v->rows[4][4]), PyFloat_FromDouble(v->rows[4][5]), PyFloat_FromDouble(v->rows[4][6]), PyFloat_FromDouble(v->rows[4][7])}), list_of(8, (PyObject *[]){PyFloat_FromDouble(v->rows[5][0]), PyFloat_FromDouble(v->rows[5][1]), PyFloat_FromDouble(v->rows[5][2]), PyFloat_FromDouble(v->rows[5][3]), PyFloat_FromDouble(v->rows[5][4]), PyFloat_FromDouble(v->rows[5][5]), PyFloat_FromDouble(v->rows[5][6]), PyFloat_FromDouble(v->rows[5][7])}), list_of(8, (PyObject *[]){PyFloat_FromDouble(v->rows[6][0]), PyFloat_FromDouble(v->rows[6][1]), PyFloat_FromDouble(v->rows[6][2]), PyFloat_FromDouble(v->rows[6][3]), PyFloat_FromDouble(v->rows[6][4]), PyFloat_FromDouble(v->rows[6][5]), PyFloat_FromDouble(v->rows[6][6]), PyFloat_FromDouble(v->rows[6][7])}), list_of(8, (PyObject *[]){PyFloat_FromDouble(v->rows[7][0]), PyFloat_FromDouble(v->rows[7][1]), PyFloat_FromDouble(v->rows[7][2]), PyFloat_FromDouble(v->rows[7][3]), PyFloat_FromDouble(v->rows[7][4]), PyFloat_FromDouble(v->rows[7][5]), PyFloat_FromDouble(v->rows[7][6]), PyFloat_FromDouble(v->rows[7][7])})}));
  return d;
}

PyObject *picus_half_explicit_options_dict(const picus_half_explicit_options *v) {
  PyObject *d = PyDict_New();
  put(&d, "predicted", PyBool_FromLong(v->predicted));
  put(&d, "closed_gap", PyFloat_FromDouble(v->closed_gap));
  put(&d, "impact_substeps", PyLong_FromLong(v->impact_substeps));
  put(&d, "tableau", picus_tableau_dict(&v->tableau));
  return d;
}

PyObject *picus_sim_options_dict(const picus_sim_options *v) {
  PyObject *d = PyDict_New();
  put(&d, "scheme", text_object(v->scheme));
  put(&d, "dt", PyFloat_FromDouble(v->dt));
  put(&d, "t_start", PyFloat_FromDouble(v->t_start));
  put(&d, "t_end", PyFloat_FromDouble(v->t_end));
  put(&d, "theta", PyFloat_FromDouble(v->theta));
  put(&d, "solver", picus_solver_options_dict(&v->solver));
  put(&d, "every", PyLong_FromLong(v->every));
  put(&d, "sample", PyFloat_FromDouble(v->sample));
  put(&d, "implicit", picus_implicit_options_dict(&v->implicit));
  put(&d, "half_explicit", picus_half_explicit_options_dict(&v->half_explicit));
  put(&d, "adaptive", PyBool_FromLong(v->adaptive));
  put(&d, "dt_min", PyFloat_FromDouble(v->dt_min));
  put(&d, "dt_max", PyFloat_FromDouble(v->dt_max));
  put(&d, "atol", PyFloat_FromDouble(v->atol));
  put(&d, "rtol", PyFloat_FromDouble(v->rtol));
  put(&d, "order_max", PyLong_FromLong(v->order_max));
  put(&d, "order", PyLong_FromLong(v->order));
  put(&d, "substeps", PyLong_FromLong(v->substeps));
  put(&d, "step_control", PyLong_FromLong(v->step_control));
  put(&d, "restitution", PyLong_FromLong(v->restitution));
  put(&d, "accept_inaccurate", PyBool_FromLong(v->accept_inaccurate));
  put(&d, "pairs", PyLong_FromLong(v->pairs));
  put(&d, "impact", PyLong_FromLong(v->impact));
  put(&d, "gap_term", PyBool_FromLong(v->gap_term));
  put(&d, "sleep", PyBool_FromLong(v->sleep));
  put(&d, "start_impact", PyBool_FromLong(v->start_impact));
  return d;
}

PyObject *picus_residual_dict(const picus_residual *v) {
  PyObject *d = PyDict_New();
  put(&d, "relative", PyFloat_FromDouble(v->relative));
  put(&d, "natural", PyFloat_FromDouble(v->natural));
  put(&d, "worst_law", PyLong_FromLong(v->worst_law));
  return d;
}

PyObject *picus_solve_info_dict(const picus_solve_info *v) {
  PyObject *d = PyDict_New();
  put(&d, "status", PyLong_FromLong(v->status));
  put(&d, "iterations", PyLong_FromLong(v->iterations));
  put(&d, "fallbacks", PyLong_FromLong(v->fallbacks));
  put(&d, "islands", PyLong_FromLong(v->islands));
  put(&d, "solver", text_object(v->solver));
  put(&d, "residual", picus_residual_dict(&v->residual));
  put(&d, "facets", PyLong_FromLong(v->facets));
  put(&d, "minimum_norm", PyBool_FromLong(v->minimum_norm));
  put(&d, "accepted", PyBool_FromLong(v->accepted));
  return d;
}

PyObject *picus_worst_laws_dict(const picus_worst_laws *v) {
  PyObject *d = PyDict_New();
  put(&d, "above", PyLong_FromLong(v->above));
  put(&d, "law", list_of(3, (PyObject *[]){PyLong_FromLong(v->law[0]), PyLong_FromLong(v->law[1]), PyLong_FromLong(v->law[2])}));
  put(&d, "relative", list_of(3, (PyObject *[]){PyFloat_FromDouble(v->relative[0]), PyFloat_FromDouble(v->relative[1]), PyFloat_FromDouble(v->relative[2])}));
  return d;
}

PyObject *picus_step_solver_dict(const picus_step_solver *v) {
  PyObject *d = PyDict_New();
  put(&d, "last", picus_solve_info_dict(&v->last));
  put(&d, "residual", PyFloat_FromDouble(v->residual));
  put(&d, "worst", picus_worst_laws_dict(&v->worst));
  return d;
}

PyObject *picus_step_gaps_dict(const picus_step_gaps *v) {
  PyObject *d = PyDict_New();
  put(&d, "lowest", PyFloat_FromDouble(v->lowest));
  put(&d, "lowest_law", PyLong_FromLong(v->lowest_law));
  put(&d, "constraint_error", PyFloat_FromDouble(v->constraint_error));
  put(&d, "constraint_law", PyLong_FromLong(v->constraint_law));
  return d;
}

PyObject *picus_step_paradox_dict(const picus_step_paradox *v) {
  PyObject *d = PyDict_New();
  put(&d, "kind", PyLong_FromLong(v->kind));
  put(&d, "law", PyLong_FromLong(v->law));
  put(&d, "branch", PyLong_FromLong(v->branch));
  return d;
}

PyObject *picus_step_implicit_dict(const picus_step_implicit *v) {
  PyObject *d = PyDict_New();
  put(&d, "newton_iterations", PyLong_FromLong(v->newton_iterations));
  put(&d, "projection_iterations", PyLong_FromLong(v->projection_iterations));
  put(&d, "set_iterations", PyLong_FromLong(v->set_iterations));
  put(&d, "prox_first", PyLong_FromLong(v->prox_first));
  put(&d, "prox_second", PyLong_FromLong(v->prox_second));
  put(&d, "prox_failed", PyLong_FromLong(v->prox_failed));
  put(&d, "projection", PyFloat_FromDouble(v->projection));
  return d;
}

PyObject *picus_step_shapes_dict(const picus_step_shapes *v) {
  PyObject *d = PyDict_New();
  put(&d, "repetitions", PyLong_FromLong(v->repetitions));
  put(&d, "overlap", PyFloat_FromDouble(v->overlap));
  put(&d, "overlap_law", PyLong_FromLong(v->overlap_law));
  return d;
}

PyObject *picus_step_info_dict(const picus_step_info *v) {
  PyObject *d = PyDict_New();
  put(&d, "t", PyFloat_FromDouble(v->t));
  put(&d, "dt", PyFloat_FromDouble(v->dt));
  put(&d, "order", PyLong_FromLong(v->order));
  put(&d, "active", PyLong_FromLong(v->active));
  put(&d, "impacts", PyLong_FromLong(v->impacts));
  put(&d, "chatter", PyLong_FromLong(v->chatter));
  put(&d, "impact_limits", PyLong_FromLong(v->impact_limits));
  put(&d, "gained", PyFloat_FromDouble(v->gained));
  put(&d, "dissipated", PyFloat_FromDouble(v->dissipated));
  put(&d, "asleep", PyLong_FromLong(v->asleep));
  put(&d, "switches", PyLong_FromLong(v->switches));
  put(&d, "solver", picus_step_solver_dict(&v->solver));
  put(&d, "gaps", picus_step_gaps_dict(&v->gaps));
  put(&d, "paradox", picus_step_paradox_dict(&v->paradox));
  put(&d, "implicit", picus_step_implicit_dict(&v->implicit));
  put(&d, "shapes", picus_step_shapes_dict(&v->shapes));
  return d;
}

PyObject *picus_study_order_dict(const picus_study_order *v) {
  PyObject *d = PyDict_New();
  put(&d, "axis", PyLong_FromLong(v->axis));
  put(&d, "x", PyFloat_FromDouble(v->x));
  put(&d, "difference", PyFloat_FromDouble(v->difference));
  put(&d, "order", PyFloat_FromDouble(v->order));
  return d;
}

PyObject *picus_switching_dict(const picus_switching *v) {
  PyObject *d = PyDict_New();
  put(&d, "t", PyFloat_FromDouble(v->t));
  put(&d, "dt", PyFloat_FromDouble(v->dt));
  put(&d, "law", PyLong_FromLong(v->law));
  put(&d, "from", PyLong_FromLong(v->from));
  put(&d, "to", PyLong_FromLong(v->to));
  put(&d, "from_slip", list_of(3, (PyObject *[]){PyFloat_FromDouble(v->from_slip[0]), PyFloat_FromDouble(v->from_slip[1]), PyFloat_FromDouble(v->from_slip[2])}));
  put(&d, "to_slip", list_of(3, (PyObject *[]){PyFloat_FromDouble(v->to_slip[0]), PyFloat_FromDouble(v->to_slip[1]), PyFloat_FromDouble(v->to_slip[2])}));
  put(&d, "PN", PyFloat_FromDouble(v->PN));
  put(&d, "PF", list_of(3, (PyObject *[]){PyFloat_FromDouble(v->PF[0]), PyFloat_FromDouble(v->PF[1]), PyFloat_FromDouble(v->PF[2])}));
  put(&d, "lost", PyFloat_FromDouble(v->lost));
  put(&d, "lost_before", PyFloat_FromDouble(v->lost_before));
  put(&d, "impact", PyLong_FromLong(v->impact));
  put(&d, "bounces", PyLong_FromLong(v->bounces));
  put(&d, "limit", PyFloat_FromDouble(v->limit));
  put(&d, "source", PyLong_FromLong(v->source));
  put(&d, "key", PyLong_FromUnsignedLongLong(v->key));
  put(&d, "name", text_object(v->name));
  put(&d, "slips", PyLong_FromLong(v->slips));
  put(&d, "rolls", PyLong_FromLong(v->rolls));
  return d;
}

PyObject *picus_system_constants_dict(const picus_system_constants *v) {
  PyObject *d = PyDict_New();
  put(&d, "mass", PyBool_FromLong(v->mass));
  put(&d, "directions", PyBool_FromLong(v->directions));
  put(&d, "identity_rates", PyBool_FromLong(v->identity_rates));
  put(&d, "position_forces", PyBool_FromLong(v->position_forces));
  return d;
}

PyObject *picus_system_input_dict(const picus_system_input *v) {
  PyObject *d = PyDict_New();
  put(&d, "name", text_object(v->name));
  put(&d, "unit", text_object(v->unit));
  put(&d, "label", text_object(v->label));
  put(&d, "start", PyFloat_FromDouble(v->start));
  put(&d, "rate", PyFloat_FromDouble(v->rate));
  put(&d, "has_rate", PyBool_FromLong(v->has_rate));
  return d;
}

PyObject *picus_vanished_laws_dict(const picus_vanished_laws *v) {
  PyObject *d = PyDict_New();
  put(&d, "dissipated", PyFloat_FromDouble(v->dissipated));
  put(&d, "driven", PyFloat_FromDouble(v->driven));
  put(&d, "impacts", PyLong_FromLong(v->impacts));
  put(&d, "chatter", PyLong_FromLong(v->chatter));
  return d;
}

PyObject *Model_name(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_model *handle = picus_model_of(self);
  if (!handle || !has_arguments("name", count, 0)) return NULL;
  (void)args;
  const char *found = picus_model_name(handle);
  return text_object(found);
}

PyObject *Model_description(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_model *handle = picus_model_of(self);
  if (!handle || !has_arguments("description", count, 0)) return NULL;
  (void)args;
  const char *found = picus_model_description(handle);
  return text_object(found);
}

PyObject *Model_source(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_model *handle = picus_model_of(self);
  if (!handle || !has_arguments("source", count, 0)) return NULL;
  (void)args;
  const char *found = picus_model_source(handle);
  return text_object(found);
}

PyObject *Model_parameter_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_model *handle = picus_model_of(self);
  if (!handle || !has_arguments("parameter_count", count, 0)) return NULL;
  (void)args;
  int found = picus_model_parameter_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Model_parameter(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_model *handle = picus_model_of(self);
  if (!handle || !has_arguments("parameter", count, 1)) return NULL;
  int ok = 1;
  int index = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  picus_parameter found = picus_model_parameter(handle, index);
  return picus_parameter_dict(&found);
}

PyObject *Model_input_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_model *handle = picus_model_of(self);
  if (!handle || !has_arguments("input_count", count, 0)) return NULL;
  (void)args;
  int found = picus_model_input_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Model_input(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_model *handle = picus_model_of(self);
  if (!handle || !has_arguments("input", count, 1)) return NULL;
  int ok = 1;
  int index = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  picus_input_def found = picus_model_input(handle, index);
  return picus_input_def_dict(&found);
}

PyObject *Model_coordinate_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_model *handle = picus_model_of(self);
  if (!handle || !has_arguments("coordinate_count", count, 0)) return NULL;
  (void)args;
  int found = picus_model_coordinate_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Model_velocity_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_model *handle = picus_model_of(self);
  if (!handle || !has_arguments("velocity_count", count, 0)) return NULL;
  (void)args;
  int found = picus_model_velocity_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Model_plot_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_model *handle = picus_model_of(self);
  if (!handle || !has_arguments("plot_count", count, 0)) return NULL;
  (void)args;
  int found = picus_model_plot_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Model_file_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_model *handle = picus_model_of(self);
  if (!handle || !has_arguments("file_count", count, 0)) return NULL;
  (void)args;
  int found = picus_model_file_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Model_handle_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_model *handle = picus_model_of(self);
  if (!handle || !has_arguments("handle_count", count, 0)) return NULL;
  (void)args;
  int found = picus_model_handle_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Model_handle(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_model *handle = picus_model_of(self);
  if (!handle || !has_arguments("handle", count, 1)) return NULL;
  int ok = 1;
  int index = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  picus_handle found = picus_model_handle(handle, index);
  return picus_handle_dict(&found);
}

PyObject *Model_framework_nodes(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_model *handle = picus_model_of(self);
  if (!handle || !has_arguments("framework_nodes", count, 1)) return NULL;
  int ok = 1;
  const char * name = (const char *)text_argument(args[0], &ok);
  if (!ok) return NULL;
  int found = picus_model_framework_nodes(handle, name);
  return PyLong_FromLong(found);
}

PyObject *Model_structure_size(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_model *handle = picus_model_of(self);
  if (!handle || !has_arguments("structure_size", count, 1)) return NULL;
  int ok = 1;
  const char * name = (const char *)text_argument(args[0], &ok);
  if (!ok) return NULL;
  int found = picus_model_structure_size(handle, name);
  return PyLong_FromLong(found);
}

PyObject *Model_sim_options(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_model *handle = picus_model_of(self);
  if (!handle || !has_arguments("sim_options", count, 0)) return NULL;
  (void)args;
  picus_sim_options found = picus_model_sim_options(handle);
  return picus_sim_options_dict(&found);
}

PyObject *Model_system_native(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_system *handle = picus_system_of(self);
  if (!handle || !has_arguments("system_native", count, 0)) return NULL;
  (void)args;
  picus_native_report found = picus_system_native(handle);
  return picus_native_report_dict(&found);
}

PyObject *Model_system_nq(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_system *handle = picus_system_of(self);
  if (!handle || !has_arguments("system_nq", count, 0)) return NULL;
  (void)args;
  int found = picus_system_nq(handle);
  return PyLong_FromLong(found);
}

PyObject *Model_system_nu(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_system *handle = picus_system_of(self);
  if (!handle || !has_arguments("system_nu", count, 0)) return NULL;
  (void)args;
  int found = picus_system_nu(handle);
  return PyLong_FromLong(found);
}

PyObject *Model_system_law_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_system *handle = picus_system_of(self);
  if (!handle || !has_arguments("system_law_count", count, 0)) return NULL;
  (void)args;
  int found = picus_system_law_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Model_system_row_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_system *handle = picus_system_of(self);
  if (!handle || !has_arguments("system_row_count", count, 0)) return NULL;
  (void)args;
  int found = picus_system_row_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Model_system_laws_appear(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_system *handle = picus_system_of(self);
  if (!handle || !has_arguments("system_laws_appear", count, 0)) return NULL;
  (void)args;
  bool found = picus_system_laws_appear(handle);
  return PyBool_FromLong(found);
}

PyObject *Model_system_node_table_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_system *handle = picus_system_of(self);
  if (!handle || !has_arguments("system_node_table_count", count, 0)) return NULL;
  (void)args;
  int found = picus_system_node_table_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Model_system_law_at(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_system *handle = picus_system_of(self);
  if (!handle || !has_arguments("system_law_at", count, 1)) return NULL;
  int ok = 1;
  int law = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  picus_system_law found = picus_system_law_at(handle, law);
  return picus_system_law_dict(&found);
}

PyObject *Model_system_q_name(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_system *handle = picus_system_of(self);
  if (!handle || !has_arguments("system_q_name", count, 1)) return NULL;
  int ok = 1;
  int index = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  const char *found = picus_system_q_name(handle, index);
  return text_object(found);
}

PyObject *Model_system_u_name(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_system *handle = picus_system_of(self);
  if (!handle || !has_arguments("system_u_name", count, 1)) return NULL;
  int ok = 1;
  int index = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  const char *found = picus_system_u_name(handle, index);
  return text_object(found);
}

PyObject *Model_system_input_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_system *handle = picus_system_of(self);
  if (!handle || !has_arguments("system_input_count", count, 0)) return NULL;
  (void)args;
  int found = picus_system_input_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Model_system_input_at(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_system *handle = picus_system_of(self);
  if (!handle || !has_arguments("system_input_at", count, 1)) return NULL;
  int ok = 1;
  int index = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  picus_system_input found = picus_system_input_at(handle, index);
  return picus_system_input_dict(&found);
}

PyObject *Model_system_find_input(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_system *handle = picus_system_of(self);
  if (!handle || !has_arguments("system_find_input", count, 1)) return NULL;
  int ok = 1;
  const char * name = (const char *)text_argument(args[0], &ok);
  if (!ok) return NULL;
  int found = picus_system_find_input(handle, name);
  return PyLong_FromLong(found);
}

PyObject *Model_system_work_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_system *handle = picus_system_of(self);
  if (!handle || !has_arguments("system_work_count", count, 0)) return NULL;
  (void)args;
  int found = picus_system_work_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Model_system_work_name(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_system *handle = picus_system_of(self);
  if (!handle || !has_arguments("system_work_name", count, 1)) return NULL;
  int ok = 1;
  int index = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  const char *found = picus_system_work_name(handle, index);
  return text_object(found);
}

PyObject *Model_system_quaternion_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_system *handle = picus_system_of(self);
  if (!handle || !has_arguments("system_quaternion_count", count, 0)) return NULL;
  (void)args;
  int found = picus_system_quaternion_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Model_system_quaternion(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_system *handle = picus_system_of(self);
  if (!handle || !has_arguments("system_quaternion", count, 1)) return NULL;
  int ok = 1;
  int index = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  int found = picus_system_quaternion(handle, index);
  return PyLong_FromLong(found);
}

PyObject *Model_system_constant_parts(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_system *handle = picus_system_of(self);
  if (!handle || !has_arguments("system_constant_parts", count, 0)) return NULL;
  (void)args;
  picus_system_constants found = picus_system_constant_parts(handle);
  return picus_system_constants_dict(&found);
}

PyObject *Simulation_set_input(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_sim *handle = picus_sim_of(self);
  if (!handle || !has_arguments("set_input", count, 3)) return NULL;
  int ok = 1;
  const char * name = (const char *)text_argument(args[0], &ok);
  double value = (double)number_argument(args[1], &ok);
  double rate = (double)number_argument(args[2], &ok);
  if (!ok) return NULL;
  if (picus_sim_set_input(handle, name, value, rate)) return picus_sim_failed(self);
  Py_RETURN_NONE;
}

PyObject *Simulation_set_input_at(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_sim *handle = picus_sim_of(self);
  if (!handle || !has_arguments("set_input_at", count, 3)) return NULL;
  int ok = 1;
  int index = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  double value = (double)number_argument(args[1], &ok);
  double rate = (double)number_argument(args[2], &ok);
  if (!ok) return NULL;
  if (picus_sim_set_input_at(handle, index, value, rate)) return picus_sim_failed(self);
  Py_RETURN_NONE;
}

PyObject *Simulation_input(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_sim *handle = picus_sim_of(self);
  if (!handle || !has_arguments("input", count, 1)) return NULL;
  int ok = 1;
  int index = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  picus_input found = picus_sim_input(handle, index);
  return picus_input_dict(&found);
}

PyObject *Simulation_event_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_sim *handle = picus_sim_of(self);
  if (!handle || !has_arguments("event_count", count, 0)) return NULL;
  (void)args;
  int found = picus_sim_event_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Simulation_event(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_sim *handle = picus_sim_of(self);
  if (!handle || !has_arguments("event", count, 1)) return NULL;
  int ok = 1;
  int index = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  picus_event_state found = picus_sim_event(handle, index);
  return picus_event_state_dict(&found);
}

PyObject *Simulation_present_law(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_sim *handle = picus_sim_of(self);
  if (!handle || !has_arguments("present_law", count, 1)) return NULL;
  int ok = 1;
  int law = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  picus_present_law found = picus_sim_present_law(handle, law);
  return picus_present_law_dict(&found);
}

PyObject *Simulation_present_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_sim *handle = picus_sim_of(self);
  if (!handle || !has_arguments("present_count", count, 0)) return NULL;
  (void)args;
  int found = picus_sim_present_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Simulation_find_laws(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_sim *handle = picus_sim_of(self);
  if (!handle || !has_arguments("find_laws", count, 1)) return NULL;
  int ok = 1;
  double dt = (double)number_argument(args[0], &ok);
  if (!ok) return NULL;
  if (picus_sim_find_laws(handle, dt)) return picus_sim_failed(self);
  Py_RETURN_NONE;
}

PyObject *Simulation_vanished_laws(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_sim *handle = picus_sim_of(self);
  if (!handle || !has_arguments("vanished_laws", count, 0)) return NULL;
  (void)args;
  picus_vanished_laws found = picus_sim_vanished_laws(handle);
  return picus_vanished_laws_dict(&found);
}

PyObject *Simulation_work(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_sim *handle = picus_sim_of(self);
  if (!handle || !has_arguments("work", count, 1)) return NULL;
  int ok = 1;
  int index = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  double found = picus_sim_work(handle, index);
  return PyFloat_FromDouble(found);
}

PyObject *Record_row_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_memory *handle = picus_memory_of(self);
  if (!handle || !has_arguments("row_count", count, 0)) return NULL;
  (void)args;
  long found = picus_memory_row_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Record_column_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_memory *handle = picus_memory_of(self);
  if (!handle || !has_arguments("column_count", count, 0)) return NULL;
  (void)args;
  int found = picus_memory_column_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Record_column(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_memory *handle = picus_memory_of(self);
  if (!handle || !has_arguments("column", count, 1)) return NULL;
  int ok = 1;
  int index = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  picus_column found = picus_memory_column(handle, index);
  return picus_column_dict(&found);
}

PyObject *Record_find(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_memory *handle = picus_memory_of(self);
  if (!handle || !has_arguments("find", count, 1)) return NULL;
  int ok = 1;
  const char * name = (const char *)text_argument(args[0], &ok);
  if (!ok) return NULL;
  int found = picus_memory_find(handle, name);
  return PyLong_FromLong(found);
}

PyObject *Record_switching_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_memory *handle = picus_memory_of(self);
  if (!handle || !has_arguments("switching_count", count, 0)) return NULL;
  (void)args;
  long found = picus_memory_switching_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Result_is_cut(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("is_cut", count, 0)) return NULL;
  (void)args;
  bool found = picus_result_is_cut(handle);
  return PyBool_FromLong(found);
}

PyObject *Result_column_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("column_count", count, 0)) return NULL;
  (void)args;
  int found = picus_result_column_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Result_column(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("column", count, 1)) return NULL;
  int ok = 1;
  int index = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  picus_column found = picus_result_column(handle, index);
  return picus_column_dict(&found);
}

PyObject *Result_find(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("find", count, 1)) return NULL;
  int ok = 1;
  const char * name = (const char *)text_argument(args[0], &ok);
  if (!ok) return NULL;
  int found = picus_result_find(handle, name);
  return PyLong_FromLong(found);
}

PyObject *Result_row_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("row_count", count, 0)) return NULL;
  (void)args;
  long found = picus_result_row_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Result_law_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("law_count", count, 0)) return NULL;
  (void)args;
  int found = picus_result_law_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Result_law_at(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("law_at", count, 1)) return NULL;
  int ok = 1;
  int index = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  picus_result_law found = picus_result_law_at(handle, index);
  return picus_result_law_dict(&found);
}

PyObject *Result_switching_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("switching_count", count, 0)) return NULL;
  (void)args;
  long found = picus_result_switching_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Result_export_switchings(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("export_switchings", count, 2)) return NULL;
  int ok = 1;
  int law = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  const char * path = (const char *)text_argument(args[1], &ok);
  if (!ok) return NULL;
  if (picus_result_export_switchings(handle, law, path)) return picus_result_failed(self);
  Py_RETURN_NONE;
}

PyObject *Result_export_switch_changes(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("export_switch_changes", count, 1)) return NULL;
  int ok = 1;
  const char * path = (const char *)text_argument(args[0], &ok);
  if (!ok) return NULL;
  if (picus_result_export_switch_changes(handle, path)) return picus_result_failed(self);
  Py_RETURN_NONE;
}

PyObject *Result_export_event_states(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("export_event_states", count, 2)) return NULL;
  int ok = 1;
  int law = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  const char * path = (const char *)text_argument(args[1], &ok);
  if (!ok) return NULL;
  if (picus_result_export_event_states(handle, law, path)) return picus_result_failed(self);
  Py_RETURN_NONE;
}

PyObject *Result_contact_rows(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("contact_rows", count, 0)) return NULL;
  (void)args;
  long found = picus_result_contact_rows(handle);
  return PyLong_FromLong(found);
}

PyObject *Result_contact_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("contact_count", count, 1)) return NULL;
  int ok = 1;
  long row = (long)integer_argument(args[0], LONG_MIN, LONG_MAX, &ok);
  if (!ok) return NULL;
  int found = picus_result_contact_count(handle, row);
  return PyLong_FromLong(found);
}

PyObject *Result_body_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("body_count", count, 0)) return NULL;
  (void)args;
  int found = picus_result_body_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Result_body(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("body", count, 1)) return NULL;
  int ok = 1;
  int body = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  const char *found = picus_result_body(handle, body);
  return text_object(found);
}

PyObject *Result_node_table_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("node_table_count", count, 0)) return NULL;
  (void)args;
  int found = picus_result_node_table_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Result_find_node_table(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("find_node_table", count, 1)) return NULL;
  int ok = 1;
  const char * name = (const char *)text_argument(args[0], &ok);
  if (!ok) return NULL;
  int found = picus_result_find_node_table(handle, name);
  return PyLong_FromLong(found);
}

PyObject *Result_node_table_rows(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("node_table_rows", count, 1)) return NULL;
  int ok = 1;
  int table = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  long found = picus_result_node_table_rows(handle, table);
  return PyLong_FromLong(found);
}

PyObject *Result_export_nodes(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("export_nodes", count, 2)) return NULL;
  int ok = 1;
  int table = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  const char * path = (const char *)text_argument(args[1], &ok);
  if (!ok) return NULL;
  if (picus_result_export_nodes(handle, table, path)) return picus_result_failed(self);
  Py_RETURN_NONE;
}

PyObject *Result_export_rows(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("export_rows", count, 1)) return NULL;
  int ok = 1;
  const char * path = (const char *)text_argument(args[0], &ok);
  if (!ok) return NULL;
  if (picus_result_export_rows(handle, path)) return picus_result_failed(self);
  Py_RETURN_NONE;
}

PyObject *Result_export_contacts(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("export_contacts", count, 1)) return NULL;
  int ok = 1;
  const char * path = (const char *)text_argument(args[0], &ok);
  if (!ok) return NULL;
  if (picus_result_export_contacts(handle, path)) return picus_result_failed(self);
  Py_RETURN_NONE;
}

PyObject *Result_text(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("text", count, 1)) return NULL;
  int ok = 1;
  const char * key = (const char *)text_argument(args[0], &ok);
  if (!ok) return NULL;
  const char *found = picus_result_text(handle, key);
  return text_object(found);
}

PyObject *Result_number(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("number", count, 1)) return NULL;
  int ok = 1;
  const char * key = (const char *)text_argument(args[0], &ok);
  if (!ok) return NULL;
  double found = picus_result_number(handle, key);
  return PyFloat_FromDouble(found);
}

PyObject *Result_plot_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_result *handle = picus_result_of(self);
  if (!handle || !has_arguments("plot_count", count, 0)) return NULL;
  (void)args;
  int found = picus_result_plot_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Rollout_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_rollout *handle = picus_rollout_of(self);
  if (!handle || !has_arguments("count", count, 0)) return NULL;
  (void)args;
  long found = picus_rollout_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Rollout_rows(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_rollout *handle = picus_rollout_of(self);
  if (!handle || !has_arguments("rows", count, 0)) return NULL;
  (void)args;
  long found = picus_rollout_rows(handle);
  return PyLong_FromLong(found);
}

PyObject *Rollout_column_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_rollout *handle = picus_rollout_of(self);
  if (!handle || !has_arguments("column_count", count, 0)) return NULL;
  (void)args;
  int found = picus_rollout_column_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Rollout_column(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_rollout *handle = picus_rollout_of(self);
  if (!handle || !has_arguments("column", count, 1)) return NULL;
  int ok = 1;
  int column = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  const char *found = picus_rollout_column(handle, column);
  return text_object(found);
}

PyObject *Study_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_study *handle = picus_study_of(self);
  if (!handle || !has_arguments("count", count, 0)) return NULL;
  (void)args;
  long found = picus_study_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Study_axis_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_study *handle = picus_study_of(self);
  if (!handle || !has_arguments("axis_count", count, 0)) return NULL;
  (void)args;
  int found = picus_study_axis_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Study_axis_name(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_study *handle = picus_study_of(self);
  if (!handle || !has_arguments("axis_name", count, 1)) return NULL;
  int ok = 1;
  int axis = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  const char *found = picus_study_axis_name(handle, axis);
  return text_object(found);
}

PyObject *Study_value_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_study *handle = picus_study_of(self);
  if (!handle || !has_arguments("value_count", count, 0)) return NULL;
  (void)args;
  int found = picus_study_value_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Study_value_name(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_study *handle = picus_study_of(self);
  if (!handle || !has_arguments("value_name", count, 1)) return NULL;
  int ok = 1;
  int value = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  const char *found = picus_study_value_name(handle, value);
  return text_object(found);
}

PyObject *Study_section_width(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_study *handle = picus_study_of(self);
  if (!handle || !has_arguments("section_width", count, 0)) return NULL;
  (void)args;
  int found = picus_study_section_width(handle);
  return PyLong_FromLong(found);
}

PyObject *Study_section_column(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_study *handle = picus_study_of(self);
  if (!handle || !has_arguments("section_column", count, 1)) return NULL;
  int ok = 1;
  int column = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  const char *found = picus_study_section_column(handle, column);
  return text_object(found);
}

PyObject *Study_done(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_study *handle = picus_study_of(self);
  if (!handle || !has_arguments("done", count, 0)) return NULL;
  (void)args;
  long found = picus_study_done(handle);
  return PyLong_FromLong(found);
}

PyObject *Study_missing(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_study *handle = picus_study_of(self);
  if (!handle || !has_arguments("missing", count, 0)) return NULL;
  (void)args;
  long found = picus_study_missing(handle);
  return PyLong_FromLong(found);
}

PyObject *Study_part_of(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_study *handle = picus_study_of(self);
  if (!handle || !has_arguments("part_of", count, 2)) return NULL;
  int ok = 1;
  long point = (long)integer_argument(args[0], LONG_MIN, LONG_MAX, &ok);
  int part_count = (int)integer_argument(args[1], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  int found = picus_study_part_of(handle, point, part_count);
  return PyLong_FromLong(found);
}

PyObject *Study_read_journal(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_study *handle = picus_study_of(self);
  if (!handle || !has_arguments("read_journal", count, 1)) return NULL;
  int ok = 1;
  const char * path = (const char *)text_argument(args[0], &ok);
  if (!ok) return NULL;
  if (picus_study_read_journal(handle, path)) return picus_study_failed(self);
  Py_RETURN_NONE;
}

PyObject *Study_remove_journal(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_study *handle = picus_study_of(self);
  if (!handle || !has_arguments("remove_journal", count, 1)) return NULL;
  int ok = 1;
  const char * path = (const char *)text_argument(args[0], &ok);
  if (!ok) return NULL;
  if (picus_study_remove_journal(handle, path)) return picus_study_failed(self);
  Py_RETURN_NONE;
}

PyObject *Study_order_at(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_study *handle = picus_study_of(self);
  if (!handle || !has_arguments("order_at", count, 2)) return NULL;
  int ok = 1;
  long point = (long)integer_argument(args[0], LONG_MIN, LONG_MAX, &ok);
  int value = (int)integer_argument(args[1], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  picus_study_order found = picus_study_order_at(handle, point, value);
  return picus_study_order_dict(&found);
}

PyObject *Study_check(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_study *handle = picus_study_of(self);
  if (!handle || !has_arguments("check", count, 1)) return NULL;
  int ok = 1;
  const char * path = (const char *)text_argument(args[0], &ok);
  if (!ok) return NULL;
  if (picus_study_check(handle, path)) return picus_study_failed(self);
  Py_RETURN_NONE;
}

PyObject *Study_write_csv(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_study *handle = picus_study_of(self);
  if (!handle || !has_arguments("write_csv", count, 1)) return NULL;
  int ok = 1;
  const char * path = (const char *)text_argument(args[0], &ok);
  if (!ok) return NULL;
  if (picus_study_write_csv(handle, path)) return picus_study_failed(self);
  Py_RETURN_NONE;
}

PyObject *Study_write_section_csv(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_study *handle = picus_study_of(self);
  if (!handle || !has_arguments("write_section_csv", count, 1)) return NULL;
  int ok = 1;
  const char * path = (const char *)text_argument(args[0], &ok);
  if (!ok) return NULL;
  if (picus_study_write_section_csv(handle, path)) return picus_study_failed(self);
  Py_RETURN_NONE;
}

PyObject *Study_write_hdf5(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_study *handle = picus_study_of(self);
  if (!handle || !has_arguments("write_hdf5", count, 1)) return NULL;
  int ok = 1;
  const char * path = (const char *)text_argument(args[0], &ok);
  if (!ok) return NULL;
  if (picus_study_write_hdf5(handle, path)) return picus_study_failed(self);
  Py_RETURN_NONE;
}

PyObject *Orbit_data_of(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_orbit *handle = picus_orbit_of(self);
  if (!handle || !has_arguments("data_of", count, 0)) return NULL;
  (void)args;
  picus_orbit_data found = picus_orbit_data_of(handle);
  return picus_orbit_data_dict(&found);
}

PyObject *Orbit_section(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_orbit *handle = picus_orbit_of(self);
  if (!handle || !has_arguments("section", count, 0)) return NULL;
  (void)args;
  const char *found = picus_orbit_section(handle);
  return text_object(found);
}

PyObject *Orbit_state_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_orbit *handle = picus_orbit_of(self);
  if (!handle || !has_arguments("state_count", count, 0)) return NULL;
  (void)args;
  int found = picus_orbit_state_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Orbit_multiplier_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_orbit *handle = picus_orbit_of(self);
  if (!handle || !has_arguments("multiplier_count", count, 0)) return NULL;
  (void)args;
  int found = picus_orbit_multiplier_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Orbit_multiplier(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_orbit *handle = picus_orbit_of(self);
  if (!handle || !has_arguments("multiplier", count, 1)) return NULL;
  int ok = 1;
  int index = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  picus_multiplier found = picus_orbit_multiplier(handle, index);
  return picus_multiplier_dict(&found);
}

PyObject *Orbit_point_count(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_orbit *handle = picus_orbit_of(self);
  if (!handle || !has_arguments("point_count", count, 0)) return NULL;
  (void)args;
  int found = picus_orbit_point_count(handle);
  return PyLong_FromLong(found);
}

PyObject *Orbit_point_at(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  picus_orbit *handle = picus_orbit_of(self);
  if (!handle || !has_arguments("point_at", count, 1)) return NULL;
  int ok = 1;
  int index = (int)integer_argument(args[0], INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  picus_orbit_point found = picus_orbit_point_at(handle, index);
  return picus_orbit_point_dict(&found);
}

static const row_field picus_law_state_fields[] = {
  {"gap", "f8", offsetof(picus_law_state, gap), 0},
  {"normal_velocity", "f8", offsetof(picus_law_state, normal_velocity), 0},
  {"slip", "f8", offsetof(picus_law_state, slip), 3},
  {"PN", "f8", offsetof(picus_law_state, PN), 0},
  {"PF", "f8", offsetof(picus_law_state, PF), 3},
  {"mode", "i4", offsetof(picus_law_state, mode), 0},
  {"dissipated", "f8", offsetof(picus_law_state, dissipated), 0},
  {"driven", "f8", offsetof(picus_law_state, driven), 0},
  {"force_begin", "f8", offsetof(picus_law_state, force_begin), 4},
  {"force_end", "f8", offsetof(picus_law_state, force_end), 4},
  {"impulse", "f8", offsetof(picus_law_state, impulse), 4},
  {"dissipated_by_impulses", "f8", offsetof(picus_law_state, dissipated_by_impulses), 0},
  {"impacts", "i8", offsetof(picus_law_state, impacts), 0},
  {"chatter", "i8", offsetof(picus_law_state, chatter), 0},
  {NULL, NULL, 0, 0}
};

static const row_field picus_switching_fields[] = {
  {"t", "f8", offsetof(picus_switching, t), 0},
  {"dt", "f8", offsetof(picus_switching, dt), 0},
  {"law", "i4", offsetof(picus_switching, law), 0},
  {"from", "i4", offsetof(picus_switching, from), 0},
  {"to", "i4", offsetof(picus_switching, to), 0},
  {"from_slip", "f8", offsetof(picus_switching, from_slip), 3},
  {"to_slip", "f8", offsetof(picus_switching, to_slip), 3},
  {"PN", "f8", offsetof(picus_switching, PN), 0},
  {"PF", "f8", offsetof(picus_switching, PF), 3},
  {"lost", "f8", offsetof(picus_switching, lost), 0},
  {"lost_before", "f8", offsetof(picus_switching, lost_before), 0},
  {"impact", "i4", offsetof(picus_switching, impact), 0},
  {"bounces", "i4", offsetof(picus_switching, bounces), 0},
  {"limit", "f8", offsetof(picus_switching, limit), 0},
  {"source", "i4", offsetof(picus_switching, source), 0},
  {"key", "u8", offsetof(picus_switching, key), 0},
  {"slips", "i4", offsetof(picus_switching, slips), 0},
  {"rolls", "i4", offsetof(picus_switching, rolls), 0},
  {NULL, NULL, 0, 0}
};

static const row_field picus_contact_point_fields[] = {
  {"key", "u8", offsetof(picus_contact_point, key), 0},
  {"source", "i4", offsetof(picus_contact_point, source), 0},
  {"body", "i4", offsetof(picus_contact_point, body), 2},
  {"point", "f8", offsetof(picus_contact_point, point), 3},
  {"normal", "f8", offsetof(picus_contact_point, normal), 3},
  {"tangent", "f8", offsetof(picus_contact_point, tangent), 3},
  {"gap", "f8", offsetof(picus_contact_point, gap), 0},
  {"vN", "f8", offsetof(picus_contact_point, vN), 0},
  {"slip", "f8", offsetof(picus_contact_point, slip), 3},
  {"PN", "f8", offsetof(picus_contact_point, PN), 0},
  {"PF", "f8", offsetof(picus_contact_point, PF), 3},
  {"mu", "f8", offsetof(picus_contact_point, mu), 0},
  {"PR", "f8", offsetof(picus_contact_point, PR), 2},
  {"mode", "i4", offsetof(picus_contact_point, mode), 0},
  {NULL, NULL, 0, 0}
};

static const row_field picus_rollout_end_fields[] = {
  {"status", "i4", offsetof(picus_rollout_end, status), 0},
  {"t", "f8", offsetof(picus_rollout_end, t), 0},
  {"steps", "i8", offsetof(picus_rollout_end, steps), 0},
  {"impacts", "i8", offsetof(picus_rollout_end, impacts), 0},
  {"rows", "i8", offsetof(picus_rollout_end, rows), 0},
  {NULL, NULL, 0, 0}
};

const row_type row_types[] = {
  {"LawState", sizeof(picus_law_state), picus_law_state_fields},
  {"Switching", sizeof(picus_switching), picus_switching_fields},
  {"ContactPoint", sizeof(picus_contact_point), picus_contact_point_fields},
  {"RolloutEnd", sizeof(picus_rollout_end), picus_rollout_end_fields},
  {NULL, 0, NULL}
};

const constant constants[] = {
  {"OK", PICUS_OK},
  {"NOT_CONVERGED", PICUS_NOT_CONVERGED},
  {"NO_SOLUTION", PICUS_NO_SOLUTION},
  {"INTERRUPTED", PICUS_INTERRUPTED},
  {"ERROR_MEMORY", PICUS_ERROR_MEMORY},
  {"ERROR_ARGUMENT", PICUS_ERROR_ARGUMENT},
  {"ERROR_NAME", PICUS_ERROR_NAME},
  {"ERROR_DIMENSION", PICUS_ERROR_DIMENSION},
  {"ERROR_NUMBER", PICUS_ERROR_NUMBER},
  {"ERROR_MODEL", PICUS_ERROR_MODEL},
  {"ERROR_FILE_SYNTAX", PICUS_ERROR_FILE_SYNTAX},
  {"ERROR_FILE_LIMIT", PICUS_ERROR_FILE_LIMIT},
  {"ERROR_SINGULAR", PICUS_ERROR_SINGULAR},
  {"ERROR_STEP", PICUS_ERROR_STEP},
  {"ERROR_IO", PICUS_ERROR_IO},
  {"ERROR_UNSUPPORTED", PICUS_ERROR_UNSUPPORTED},
  {"LOG_NOTE", PICUS_LOG_NOTE},
  {"LOG_WARNING", PICUS_LOG_WARNING},
  {"NUMBER", PICUS_NUMBER},
  {"VARIABLE", PICUS_VARIABLE},
  {"NEGATE", PICUS_NEGATE},
  {"SQRT", PICUS_SQRT},
  {"EXP", PICUS_EXP},
  {"LOG", PICUS_LOG},
  {"SIN", PICUS_SIN},
  {"COS", PICUS_COS},
  {"TAN", PICUS_TAN},
  {"ASIN", PICUS_ASIN},
  {"ACOS", PICUS_ACOS},
  {"ATAN", PICUS_ATAN},
  {"SINH", PICUS_SINH},
  {"COSH", PICUS_COSH},
  {"TANH", PICUS_TANH},
  {"ABS", PICUS_ABS},
  {"SIGN", PICUS_SIGN},
  {"NOT", PICUS_NOT},
  {"ADD", PICUS_ADD},
  {"SUBTRACT", PICUS_SUBTRACT},
  {"MULTIPLY", PICUS_MULTIPLY},
  {"DIVIDE", PICUS_DIVIDE},
  {"POWER", PICUS_POWER},
  {"ATAN2", PICUS_ATAN2},
  {"MIN", PICUS_MIN},
  {"MAX", PICUS_MAX},
  {"LESS", PICUS_LESS},
  {"LESS_EQUAL", PICUS_LESS_EQUAL},
  {"EQUAL", PICUS_EQUAL},
  {"AND", PICUS_AND},
  {"OR", PICUS_OR},
  {"WHEN", PICUS_WHEN},
  {"TABLE", PICUS_TABLE},
  {"OP_COUNT", PICUS_OP_COUNT},
  {"TABLE_LINEAR", PICUS_TABLE_LINEAR},
  {"TABLE_CUBIC", PICUS_TABLE_CUBIC},
  {"BILATERAL", PICUS_BILATERAL},
  {"UNILATERAL", PICUS_UNILATERAL},
  {"COULOMB", PICUS_COULOMB},
  {"RESERVOIR", PICUS_RESERVOIR},
  {"ROLLING", PICUS_ROLLING},
  {"OPEN", PICUS_OPEN},
  {"STICK", PICUS_STICK},
  {"SLIP", PICUS_SLIP},
  {"FORECAST_EXPLICIT", PICUS_FORECAST_EXPLICIT},
  {"FORECAST_FREE", PICUS_FORECAST_FREE},
  {"FORECAST_MIXED", PICUS_FORECAST_MIXED},
  {"METRIC_IDENTITY", PICUS_METRIC_IDENTITY},
  {"METRIC_INERTIA", PICUS_METRIC_INERTIA},
  {"PROJECTION_DECOUPLED", PICUS_PROJECTION_DECOUPLED},
  {"PROJECTION_COUPLED", PICUS_PROJECTION_COUPLED},
  {"PROJECTION_AFTER", PICUS_PROJECTION_AFTER},
  {"SLIP_MEAN", PICUS_SLIP_MEAN},
  {"SLIP_END", PICUS_SLIP_END},
  {"SUBSTEPS_ODD", PICUS_SUBSTEPS_ODD},
  {"SUBSTEPS_NATURAL", PICUS_SUBSTEPS_NATURAL},
  {"STEP_CONTROL_FORECAST", PICUS_STEP_CONTROL_FORECAST},
  {"STEP_CONTROL_PAPER", PICUS_STEP_CONTROL_PAPER},
  {"RESTITUTION_ALWAYS", PICUS_RESTITUTION_ALWAYS},
  {"RESTITUTION_IMPACTS", PICUS_RESTITUTION_IMPACTS},
  {"RESTITUTION_MODIFIED", PICUS_RESTITUTION_MODIFIED},
  {"IMPACT_OF_RUN", PICUS_IMPACT_OF_RUN},
  {"IMPACT_POISSON", PICUS_IMPACT_POISSON},
  {"IMPACT_SEQUENTIAL", PICUS_IMPACT_SEQUENTIAL},
  {"IMPACT_NEWTON", PICUS_IMPACT_NEWTON},
  {"PAIRS_NONE", PICUS_PAIRS_NONE},
  {"PAIRS_BODIES", PICUS_PAIRS_BODIES},
  {"PAIRS_MATERIALS", PICUS_PAIRS_MATERIALS},
  {"STATE_CONTINUOUS", PICUS_STATE_CONTINUOUS},
  {"STATE_SAMPLED", PICUS_STATE_SAMPLED},
  {"STATE_HELD", PICUS_STATE_HELD},
  {"SIGNAL_GAP", PICUS_SIGNAL_GAP},
  {"SIGNAL_FORCE", PICUS_SIGNAL_FORCE},
  {"SIGNAL_MODE", PICUS_SIGNAL_MODE},
  {"EVENT_CROSSES", PICUS_EVENT_CROSSES},
  {"EVENT_RISES", PICUS_EVENT_RISES},
  {"EVENT_FALLS", PICUS_EVENT_FALLS},
  {"EVENT_OPENS", PICUS_EVENT_OPENS},
  {"EVENT_CLOSES", PICUS_EVENT_CLOSES},
  {"EVENT_STICKS", PICUS_EVENT_STICKS},
  {"EVENT_SLIPS", PICUS_EVENT_SLIPS},
  {"EVENT_IMPACT", PICUS_EVENT_IMPACT},
  {"FRAME", PICUS_FRAME},
  {"PARTICLE", PICUS_PARTICLE},
  {"PLANAR_BODY", PICUS_PLANAR_BODY},
  {"SPATIAL_BODY", PICUS_SPATIAL_BODY},
  {"NODE", PICUS_NODE},
  {"REVOLUTE", PICUS_REVOLUTE},
  {"SPHERICAL", PICUS_SPHERICAL},
  {"PRISMATIC", PICUS_PRISMATIC},
  {"CYLINDRICAL", PICUS_CYLINDRICAL},
  {"UNIVERSAL", PICUS_UNIVERSAL},
  {"WELD", PICUS_WELD},
  {"DISTANCE", PICUS_DISTANCE},
  {"GEAR", PICUS_GEAR},
  {"MOTOR", PICUS_MOTOR},
  {"LINEAR_MOTOR", PICUS_LINEAR_MOTOR},
  {"BALL_PLANE", PICUS_BALL_PLANE},
  {"BALL_BALL", PICUS_BALL_BALL},
  {"PIN_HOLE", PICUS_PIN_HOLE},
  {"RIM_PLANE", PICUS_RIM_PLANE},
  {"POINT_LEVEL", PICUS_POINT_LEVEL},
  {"JOURNAL", PICUS_JOURNAL},
  {"SHAPE_DISK", PICUS_SHAPE_DISK},
  {"SHAPE_SPHERE", PICUS_SHAPE_SPHERE},
  {"SHAPE_HALF_SPACE", PICUS_SHAPE_HALF_SPACE},
  {"SHAPE_SEGMENT", PICUS_SHAPE_SEGMENT},
  {"SHAPE_CAPSULE", PICUS_SHAPE_CAPSULE},
  {"SHAPE_RECTANGLE", PICUS_SHAPE_RECTANGLE},
  {"SHAPE_BOX", PICUS_SHAPE_BOX},
  {"SHAPE_POLYGON", PICUS_SHAPE_POLYGON},
  {"SHAPE_POLYHEDRON", PICUS_SHAPE_POLYHEDRON},
  {"SHAPE_CYLINDER", PICUS_SHAPE_CYLINDER},
  {"SHAPE_POLYLINE", PICUS_SHAPE_POLYLINE},
  {"SHAPE_MESH", PICUS_SHAPE_MESH},
  {"SHAPE_ELLIPSOID", PICUS_SHAPE_ELLIPSOID},
  {"SHAPE_KINDS", PICUS_SHAPE_KINDS},
  {"DRAW_LINE", PICUS_DRAW_LINE},
  {"DRAW_POLYGON", PICUS_DRAW_POLYGON},
  {"DRAW_CIRCLE", PICUS_DRAW_CIRCLE},
  {"DRAW_SPRING", PICUS_DRAW_SPRING},
  {"DRAW_ARROW", PICUS_DRAW_ARROW},
  {"DRAW_TEXT", PICUS_DRAW_TEXT},
  {"DRAW_GROUND", PICUS_DRAW_GROUND},
  {"DRAW_SPHERE", PICUS_DRAW_SPHERE},
  {"DRAW_BOX", PICUS_DRAW_BOX},
  {"DRAW_CYLINDER", PICUS_DRAW_CYLINDER},
  {"DRAW_MESH", PICUS_DRAW_MESH},
  {"DRAW_KINDS", PICUS_DRAW_KINDS},
  {"BEAM_EULER_BERNOULLI", PICUS_BEAM_EULER_BERNOULLI},
  {"BEAM_RAYLEIGH", PICUS_BEAM_RAYLEIGH},
  {"BEAM_TIMOSHENKO", PICUS_BEAM_TIMOSHENKO},
  {"SECTION_GIVEN", PICUS_SECTION_GIVEN},
  {"SECTION_CIRCLE", PICUS_SECTION_CIRCLE},
  {"SECTION_TUBE", PICUS_SECTION_TUBE},
  {"SECTION_RECTANGLE", PICUS_SECTION_RECTANGLE},
  {"UX", PICUS_UX},
  {"UY", PICUS_UY},
  {"UZ", PICUS_UZ},
  {"RX", PICUS_RX},
  {"RY", PICUS_RY},
  {"RZ", PICUS_RZ},
  {"PARADOX_NONE", PICUS_PARADOX_NONE},
  {"PARADOX_INDETERMINATE", PICUS_PARADOX_INDETERMINATE},
  {"PARADOX_INCONSISTENT", PICUS_PARADOX_INCONSISTENT},
  {"PARADOX_STEEP", PICUS_PARADOX_STEEP},
  {"PARADOX_LOCKED", PICUS_PARADOX_LOCKED},
  {"BRANCH_OPENED", PICUS_BRANCH_OPENED},
  {"BRANCH_SLID", PICUS_BRANCH_SLID},
  {"BRANCH_IMPACT", PICUS_BRANCH_IMPACT},
  {"DECISION_SMOOTH", PICUS_DECISION_SMOOTH},
  {"DECISION_INACCURATE", PICUS_DECISION_INACCURATE},
  {"DECISION_DETECTED", PICUS_DECISION_DETECTED},
  {"DECISION_RESOLVED", PICUS_DECISION_RESOLVED},
  {"DECISION_FAILED", PICUS_DECISION_FAILED},
  {"LOAD_SAME_MODEL", PICUS_LOAD_SAME_MODEL},
  {"LOAD_CHANGED_MODEL", PICUS_LOAD_CHANGED_MODEL},
  {"COLUMN_TIME", PICUS_COLUMN_TIME},
  {"COLUMN_COORDINATE", PICUS_COLUMN_COORDINATE},
  {"COLUMN_VELOCITY", PICUS_COLUMN_VELOCITY},
  {"COLUMN_GAP", PICUS_COLUMN_GAP},
  {"COLUMN_LAW_VELOCITY", PICUS_COLUMN_LAW_VELOCITY},
  {"COLUMN_PERCUSSION", PICUS_COLUMN_PERCUSSION},
  {"COLUMN_MODE", PICUS_COLUMN_MODE},
  {"COLUMN_ENERGY", PICUS_COLUMN_ENERGY},
  {"COLUMN_STEP", PICUS_COLUMN_STEP},
  {"COLUMN_OBSERVABLE", PICUS_COLUMN_OBSERVABLE},
  {"COLUMN_INPUT", PICUS_COLUMN_INPUT},
  {"COLUMN_FORCE", PICUS_COLUMN_FORCE},
  {"COLUMN_IMPULSE", PICUS_COLUMN_IMPULSE},
  {"COLUMN_WORK", PICUS_COLUMN_WORK},
  {"AXIS_PARAMETER", PICUS_AXIS_PARAMETER},
  {"AXIS_START", PICUS_AXIS_START},
  {"AXIS_OPTION", PICUS_AXIS_OPTION},
  {"SAMPLING_GRID", PICUS_SAMPLING_GRID},
  {"SAMPLING_LIST", PICUS_SAMPLING_LIST},
  {"SAMPLING_RANDOM", PICUS_SAMPLING_RANDOM},
  {"SAMPLING_LATIN", PICUS_SAMPLING_LATIN},
  {"SAMPLING_SOBOL", PICUS_SAMPLING_SOBOL},
  {"CONTINUATION_NONE", PICUS_CONTINUATION_NONE},
  {"CONTINUATION_FORTH", PICUS_CONTINUATION_FORTH},
  {"CONTINUATION_FORTH_AND_BACK", PICUS_CONTINUATION_FORTH_AND_BACK},
  {"CHANGE_IMPACT", PICUS_CHANGE_IMPACT},
  {"CHANGE_CLOSES", PICUS_CHANGE_CLOSES},
  {"CHANGE_OPENS", PICUS_CHANGE_OPENS},
  {"CHANGE_SLIPS", PICUS_CHANGE_SLIPS},
  {"CHANGE_STICKS", PICUS_CHANGE_STICKS},
  {"CHANGE_REVERSES", PICUS_CHANGE_REVERSES},
  {"CHANGE_EVENT", PICUS_CHANGE_EVENT},
  {"CHANGE_SWITCH", PICUS_CHANGE_SWITCH},
  {"CHANGE_TIME", PICUS_CHANGE_TIME},
  {"ORBIT_REGULAR", PICUS_ORBIT_REGULAR},
  {"ORBIT_START", PICUS_ORBIT_START},
  {"ORBIT_END", PICUS_ORBIT_END},
  {"ORBIT_FOLD", PICUS_ORBIT_FOLD},
  {"ORBIT_FLIP", PICUS_ORBIT_FLIP},
  {"ORBIT_NEIMARK", PICUS_ORBIT_NEIMARK},
  {"ORBIT_CROSSING", PICUS_ORBIT_CROSSING},
  {"ORBIT_GRAZING", PICUS_ORBIT_GRAZING},
  {"ORBIT_TOUCH", PICUS_ORBIT_TOUCH},
  {"ORBIT_LIFT", PICUS_ORBIT_LIFT},
  {"ORBIT_LAND", PICUS_ORBIT_LAND},
  {"ORBIT_SLIP", PICUS_ORBIT_SLIP},
  {"ORBIT_STICK", PICUS_ORBIT_STICK},
  {"ORBIT_UNSTICK", PICUS_ORBIT_UNSTICK},
  {"ORBIT_IMPACT", PICUS_ORBIT_IMPACT},
  {"ORBIT_ORDER", PICUS_ORBIT_ORDER},
  {"ORBIT_SWITCH", PICUS_ORBIT_SWITCH},
  {"ORBIT_CHATTER", PICUS_ORBIT_CHATTER},
  {"ORBIT_HOPF", PICUS_ORBIT_HOPF},
  {NULL, 0}
};
