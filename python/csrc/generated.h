/* Made by scripts/python-api from the public headers: do not change it here. */
/* clang-format off */
#ifndef PICUS_PYTHON_GENERATED_H
#define PICUS_PYTHON_GENERATED_H

PyObject *picus_column_dict(const picus_column *v);
PyObject *picus_column_error_dict(const picus_column_error *v);
PyObject *picus_event_state_dict(const picus_event_state *v);
PyObject *picus_handle_dict(const picus_handle *v);
PyObject *picus_input_dict(const picus_input *v);
PyObject *picus_input_def_dict(const picus_input_def *v);
PyObject *picus_law_match_dict(const picus_law_match *v);
PyObject *picus_multiplier_dict(const picus_multiplier *v);
PyObject *picus_native_report_dict(const picus_native_report *v);
PyObject *picus_orbit_data_dict(const picus_orbit_data *v);
PyObject *picus_orbit_point_dict(const picus_orbit_point *v);
PyObject *picus_parameter_dict(const picus_parameter *v);
PyObject *picus_system_law_dict(const picus_system_law *v);
PyObject *picus_present_law_dict(const picus_present_law *v);
PyObject *picus_accepted_residual_dict(const picus_accepted_residual *v);
PyObject *picus_summary_solver_dict(const picus_summary_solver *v);
PyObject *picus_passage_count_dict(const picus_passage_count *v);
PyObject *picus_depth_count_dict(const picus_depth_count *v);
PyObject *picus_summary_gaps_dict(const picus_summary_gaps *v);
PyObject *picus_summary_energy_dict(const picus_summary_energy *v);
PyObject *picus_paradox_count_dict(const picus_paradox_count *v);
PyObject *picus_summary_impact_energy_dict(const picus_summary_impact_energy *v);
PyObject *picus_summary_implicit_dict(const picus_summary_implicit *v);
PyObject *picus_overlap_count_dict(const picus_overlap_count *v);
PyObject *picus_summary_shapes_dict(const picus_summary_shapes *v);
PyObject *picus_summary_adaptive_dict(const picus_summary_adaptive *v);
PyObject *picus_summary_dict(const picus_summary *v);
PyObject *picus_reference_attempt_dict(const picus_reference_attempt *v);
PyObject *picus_residuals_dict(const picus_residuals *v);
PyObject *picus_result_law_dict(const picus_result_law *v);
PyObject *picus_rollout_end_dict(const picus_rollout_end *v);
PyObject *picus_solver_options_dict(const picus_solver_options *v);
PyObject *picus_implicit_options_dict(const picus_implicit_options *v);
PyObject *picus_tableau_dict(const picus_tableau *v);
PyObject *picus_half_explicit_options_dict(const picus_half_explicit_options *v);
PyObject *picus_sim_options_dict(const picus_sim_options *v);
PyObject *picus_residual_dict(const picus_residual *v);
PyObject *picus_solve_info_dict(const picus_solve_info *v);
PyObject *picus_worst_laws_dict(const picus_worst_laws *v);
PyObject *picus_step_solver_dict(const picus_step_solver *v);
PyObject *picus_step_gaps_dict(const picus_step_gaps *v);
PyObject *picus_step_paradox_dict(const picus_step_paradox *v);
PyObject *picus_step_implicit_dict(const picus_step_implicit *v);
PyObject *picus_step_shapes_dict(const picus_step_shapes *v);
PyObject *picus_step_info_dict(const picus_step_info *v);
PyObject *picus_study_order_dict(const picus_study_order *v);
PyObject *picus_switching_dict(const picus_switching *v);
PyObject *picus_system_constants_dict(const picus_system_constants *v);
PyObject *picus_system_input_dict(const picus_system_input *v);
PyObject *picus_vanished_laws_dict(const picus_vanished_laws *v);

PyObject *Model_name(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_description(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_source(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_parameter_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_parameter(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_input_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_input(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_coordinate_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_velocity_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_plot_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_file_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_handle_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_handle(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_framework_nodes(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_structure_size(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_sim_options(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_system_native(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_system_nq(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_system_nu(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_system_law_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_system_row_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_system_laws_appear(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_system_node_table_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_system_law_at(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_system_q_name(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_system_u_name(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_system_input_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_system_input_at(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_system_find_input(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_system_work_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_system_work_name(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_system_quaternion_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_system_quaternion(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Model_system_constant_parts(PyObject *self, PyObject *const *args, Py_ssize_t count);

#define MODEL_METHODS \
  {"name", (PyCFunction)(void (*)(void))Model_name, METH_FASTCALL, "name($self)\n--\n\npicus_model_name of the C library."}, \
  {"description", (PyCFunction)(void (*)(void))Model_description, METH_FASTCALL, "description($self)\n--\n\npicus_model_description of the C library."}, \
  {"source", (PyCFunction)(void (*)(void))Model_source, METH_FASTCALL, "source($self)\n--\n\npicus_model_source of the C library."}, \
  {"parameter_count", (PyCFunction)(void (*)(void))Model_parameter_count, METH_FASTCALL, "parameter_count($self)\n--\n\npicus_model_parameter_count of the C library."}, \
  {"parameter", (PyCFunction)(void (*)(void))Model_parameter, METH_FASTCALL, "parameter($self, index, /)\n--\n\npicus_model_parameter of the C library."}, \
  {"input_count", (PyCFunction)(void (*)(void))Model_input_count, METH_FASTCALL, "input_count($self)\n--\n\npicus_model_input_count of the C library."}, \
  {"input", (PyCFunction)(void (*)(void))Model_input, METH_FASTCALL, "input($self, index, /)\n--\n\npicus_model_input of the C library."}, \
  {"coordinate_count", (PyCFunction)(void (*)(void))Model_coordinate_count, METH_FASTCALL, "coordinate_count($self)\n--\n\npicus_model_coordinate_count of the C library."}, \
  {"velocity_count", (PyCFunction)(void (*)(void))Model_velocity_count, METH_FASTCALL, "velocity_count($self)\n--\n\npicus_model_velocity_count of the C library."}, \
  {"plot_count", (PyCFunction)(void (*)(void))Model_plot_count, METH_FASTCALL, "plot_count($self)\n--\n\npicus_model_plot_count of the C library."}, \
  {"file_count", (PyCFunction)(void (*)(void))Model_file_count, METH_FASTCALL, "file_count($self)\n--\n\nThe files that the model file names; together with picus_model_source, the complete input of the model.\n\npicus_model_file_count of the C library."}, \
  {"handle_count", (PyCFunction)(void (*)(void))Model_handle_count, METH_FASTCALL, "handle_count($self)\n--\n\npicus_model_handle_count of the C library."}, \
  {"handle", (PyCFunction)(void (*)(void))Model_handle, METH_FASTCALL, "handle($self, index, /)\n--\n\npicus_model_handle of the C library."}, \
  {"framework_nodes", (PyCFunction)(void (*)(void))Model_framework_nodes, METH_FASTCALL, "framework_nodes($self, name, /)\n--\n\nNumber of nodes of a framework; 0: no framework of this name.\n\npicus_model_framework_nodes of the C library."}, \
  {"structure_size", (PyCFunction)(void (*)(void))Model_structure_size, METH_FASTCALL, "structure_size($self, name, /)\n--\n\nNumber of displacements of a structure; 0: no structure of this name.\n\npicus_model_structure_size of the C library."}, \
  {"sim_options", (PyCFunction)(void (*)(void))Model_sim_options, METH_FASTCALL, "sim_options($self)\n--\n\npicus_model_sim_options of the C library."}, \
  {"system_native", (PyCFunction)(void (*)(void))Model_system_native, METH_FASTCALL, "system_native($self)\n--\n\npicus_system_native of the C library."}, \
  {"system_nq", (PyCFunction)(void (*)(void))Model_system_nq, METH_FASTCALL, "system_nq($self)\n--\n\npicus_system_nq of the C library."}, \
  {"system_nu", (PyCFunction)(void (*)(void))Model_system_nu, METH_FASTCALL, "system_nu($self)\n--\n\npicus_system_nu of the C library."}, \
  {"system_law_count", (PyCFunction)(void (*)(void))Model_system_law_count, METH_FASTCALL, "system_law_count($self)\n--\n\npicus_system_law_count of the C library."}, \
  {"system_row_count", (PyCFunction)(void (*)(void))Model_system_row_count, METH_FASTCALL, "system_row_count($self)\n--\n\npicus_system_row_count of the C library."}, \
  {"system_laws_appear", (PyCFunction)(void (*)(void))Model_system_laws_appear, METH_FASTCALL, "system_laws_appear($self)\n--\n\nWhether the system also has detected laws: contacts that exist while bodies are close to each other.\n\npicus_system_laws_appear of the C library."}, \
  {"system_node_table_count", (PyCFunction)(void (*)(void))Model_system_node_table_count, METH_FASTCALL, "system_node_table_count($self)\n--\n\nTables of results: the flexible components whose nodes are stored.\n\npicus_system_node_table_count of the C library."}, \
  {"system_law_at", (PyCFunction)(void (*)(void))Model_system_law_at, METH_FASTCALL, "system_law_at($self, law, /)\n--\n\npicus_system_law_at of the C library."}, \
  {"system_q_name", (PyCFunction)(void (*)(void))Model_system_q_name, METH_FASTCALL, "system_q_name($self, index, /)\n--\n\npicus_system_q_name of the C library."}, \
  {"system_u_name", (PyCFunction)(void (*)(void))Model_system_u_name, METH_FASTCALL, "system_u_name($self, index, /)\n--\n\npicus_system_u_name of the C library."}, \
  {"system_input_count", (PyCFunction)(void (*)(void))Model_system_input_count, METH_FASTCALL, "system_input_count($self)\n--\n\npicus_system_input_count of the C library."}, \
  {"system_input_at", (PyCFunction)(void (*)(void))Model_system_input_at, METH_FASTCALL, "system_input_at($self, index, /)\n--\n\npicus_system_input_at of the C library."}, \
  {"system_find_input", (PyCFunction)(void (*)(void))Model_system_find_input, METH_FASTCALL, "system_find_input($self, name, /)\n--\n\npicus_system_find_input of the C library."}, \
  {"system_work_count", (PyCFunction)(void (*)(void))Model_system_work_count, METH_FASTCALL, "system_work_count($self)\n--\n\nWork terms by name: forces, actuators, dampers, damping, prescribed motions.\n\npicus_system_work_count of the C library."}, \
  {"system_work_name", (PyCFunction)(void (*)(void))Model_system_work_name, METH_FASTCALL, "system_work_name($self, index, /)\n--\n\npicus_system_work_name of the C library."}, \
  {"system_quaternion_count", (PyCFunction)(void (*)(void))Model_system_quaternion_count, METH_FASTCALL, "system_quaternion_count($self)\n--\n\nUnit quaternions, four consecutive coordinates each: their number, and the first coordinate of each.\n\npicus_system_quaternion_count of the C library."}, \
  {"system_quaternion", (PyCFunction)(void (*)(void))Model_system_quaternion, METH_FASTCALL, "system_quaternion($self, index, /)\n--\n\npicus_system_quaternion of the C library."}, \
  {"system_constant_parts", (PyCFunction)(void (*)(void))Model_system_constant_parts, METH_FASTCALL, "system_constant_parts($self)\n--\n\npicus_system_constant_parts of the C library."}, \


PyObject *Simulation_set_input(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Simulation_set_input_at(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Simulation_input(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Simulation_event_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Simulation_event(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Simulation_present_law(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Simulation_present_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Simulation_find_laws(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Simulation_vanished_laws(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Simulation_work(PyObject *self, PyObject *const *args, Py_ssize_t count);

#define SIMULATION_METHODS \
  {"set_input", (PyCFunction)(void (*)(void))Simulation_set_input, METH_FASTCALL, "set_input($self, name, value, rate, /)\n--\n\nSets an input from the current time t, by its name or its index: it is value + rate (time - t) until it is set again.\n\npicus_sim_set_input of the C library."}, \
  {"set_input_at", (PyCFunction)(void (*)(void))Simulation_set_input_at, METH_FASTCALL, "set_input_at($self, index, value, rate, /)\n--\n\npicus_sim_set_input_at of the C library."}, \
  {"input", (PyCFunction)(void (*)(void))Simulation_input, METH_FASTCALL, "input($self, index, /)\n--\n\nThe input as set last, at the current time; zeros: no such index.\n\npicus_sim_input of the C library."}, \
  {"event_count", (PyCFunction)(void (*)(void))Simulation_event_count, METH_FASTCALL, "event_count($self)\n--\n\npicus_sim_event_count of the C library."}, \
  {"event", (PyCFunction)(void (*)(void))Simulation_event, METH_FASTCALL, "event($self, index, /)\n--\n\npicus_sim_event of the C library."}, \
  {"present_law", (PyCFunction)(void (*)(void))Simulation_present_law, METH_FASTCALL, "present_law($self, law, /)\n--\n\npicus_sim_present_law of the C library."}, \
  {"present_count", (PyCFunction)(void (*)(void))Simulation_present_count, METH_FASTCALL, "present_count($self)\n--\n\nNumber of present laws, the laws of the system among them; before the first step only these.\n\npicus_sim_present_count of the C library."}, \
  {"find_laws", (PyCFunction)(void (*)(void))Simulation_find_laws, METH_FASTCALL, "find_laws($self, dt, /)\n--\n\nFinds the laws that may act within dt from the current state (0: dt of the options), as a step would.\n\npicus_sim_find_laws of the C library."}, \
  {"vanished_laws", (PyCFunction)(void (*)(void))Simulation_vanished_laws, METH_FASTCALL, "vanished_laws($self)\n--\n\npicus_sim_vanished_laws of the C library."}, \
  {"work", (PyCFunction)(void (*)(void))Simulation_work, METH_FASTCALL, "work($self, index, /)\n--\n\nWork since t_start of one of the names of the system, J.\n\npicus_sim_work of the C library."}, \


PyObject *Record_row_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Record_column_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Record_column(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Record_find(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Record_switching_count(PyObject *self, PyObject *const *args, Py_ssize_t count);

#define RECORD_METHODS \
  {"row_count", (PyCFunction)(void (*)(void))Record_row_count, METH_FASTCALL, "row_count($self)\n--\n\npicus_memory_row_count of the C library."}, \
  {"column_count", (PyCFunction)(void (*)(void))Record_column_count, METH_FASTCALL, "column_count($self)\n--\n\npicus_memory_column_count of the C library."}, \
  {"column", (PyCFunction)(void (*)(void))Record_column, METH_FASTCALL, "column($self, index, /)\n--\n\npicus_memory_column of the C library."}, \
  {"find", (PyCFunction)(void (*)(void))Record_find, METH_FASTCALL, "find($self, name, /)\n--\n\npicus_memory_find of the C library."}, \
  {"switching_count", (PyCFunction)(void (*)(void))Record_switching_count, METH_FASTCALL, "switching_count($self)\n--\n\npicus_memory_switching_count of the C library."}, \


PyObject *Result_is_cut(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_column_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_column(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_find(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_row_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_law_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_law_at(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_switching_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_export_switchings(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_export_switch_changes(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_export_event_states(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_contact_rows(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_contact_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_body_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_body(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_node_table_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_find_node_table(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_node_table_rows(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_export_nodes(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_export_rows(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_export_contacts(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_text(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_number(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Result_plot_count(PyObject *self, PyObject *const *args, Py_ssize_t count);

#define RESULT_METHODS \
  {"is_cut", (PyCFunction)(void (*)(void))Result_is_cut, METH_FASTCALL, "is_cut($self)\n--\n\nTrue if the file is truncated, for example by an interrupted copy.\n\npicus_result_is_cut of the C library."}, \
  {"column_count", (PyCFunction)(void (*)(void))Result_column_count, METH_FASTCALL, "column_count($self)\n--\n\npicus_result_column_count of the C library."}, \
  {"column", (PyCFunction)(void (*)(void))Result_column, METH_FASTCALL, "column($self, index, /)\n--\n\npicus_result_column of the C library."}, \
  {"find", (PyCFunction)(void (*)(void))Result_find, METH_FASTCALL, "find($self, name, /)\n--\n\npicus_result_find of the C library."}, \
  {"row_count", (PyCFunction)(void (*)(void))Result_row_count, METH_FASTCALL, "row_count($self)\n--\n\npicus_result_row_count of the C library."}, \
  {"law_count", (PyCFunction)(void (*)(void))Result_law_count, METH_FASTCALL, "law_count($self)\n--\n\npicus_result_law_count of the C library."}, \
  {"law_at", (PyCFunction)(void (*)(void))Result_law_at, METH_FASTCALL, "law_at($self, index, /)\n--\n\npicus_result_law_at of the C library."}, \
  {"switching_count", (PyCFunction)(void (*)(void))Result_switching_count, METH_FASTCALL, "switching_count($self)\n--\n\nThe switching points, ordered by time, owned by the result and valid until it is closed.\n\npicus_result_switching_count of the C library."}, \
  {"export_switchings", (PyCFunction)(void (*)(void))Result_export_switchings, METH_FASTCALL, "export_switchings($self, law, path, /)\n--\n\nWrites the switching points of one law (-1: of all laws) as picus_recorder_add_switching_csv does.\n\npicus_result_export_switchings of the C library."}, \
  {"export_switch_changes", (PyCFunction)(void (*)(void))Result_export_switch_changes, METH_FASTCALL, "export_switch_changes($self, path, /)\n--\n\nWrites them as CSV: t, function, from, to.\n\npicus_result_export_switch_changes of the C library."}, \
  {"export_event_states", (PyCFunction)(void (*)(void))Result_export_event_states, METH_FASTCALL, "export_event_states($self, law, path, /)\n--\n\nWrites those of one law, or all (-1), as CSV: event (the name of the event, or of the law), switching, t, ...\n\npicus_result_export_event_states of the C library."}, \
  {"contact_rows", (PyCFunction)(void (*)(void))Result_contact_rows, METH_FASTCALL, "contact_rows($self)\n--\n\npicus_result_contact_rows of the C library."}, \
  {"contact_count", (PyCFunction)(void (*)(void))Result_contact_count, METH_FASTCALL, "contact_count($self, row, /)\n--\n\nTheir number in a row; 0: the row has none in the file.\n\npicus_result_contact_count of the C library."}, \
  {"body_count", (PyCFunction)(void (*)(void))Result_body_count, METH_FASTCALL, "body_count($self)\n--\n\nThe bodies that contacts refer to by index.\n\npicus_result_body_count of the C library."}, \
  {"body", (PyCFunction)(void (*)(void))Result_body, METH_FASTCALL, "body($self, body, /)\n--\n\nIts name; \"\": no such body.\n\npicus_result_body of the C library."}, \
  {"node_table_count", (PyCFunction)(void (*)(void))Result_node_table_count, METH_FASTCALL, "node_table_count($self)\n--\n\nThe nodes of flexible components: a table for each of them.\n\npicus_result_node_table_count of the C library."}, \
  {"find_node_table", (PyCFunction)(void (*)(void))Result_find_node_table, METH_FASTCALL, "find_node_table($self, name, /)\n--\n\npicus_result_find_node_table of the C library."}, \
  {"node_table_rows", (PyCFunction)(void (*)(void))Result_node_table_rows, METH_FASTCALL, "node_table_rows($self, table, /)\n--\n\nThe rows of the result that have nodes: all, even if the run was killed.\n\npicus_result_node_table_rows of the C library."}, \
  {"export_nodes", (PyCFunction)(void (*)(void))Result_export_nodes, METH_FASTCALL, "export_nodes($self, table, path, /)\n--\n\nWrites a table as CSV: a line for each node of each row.\n\npicus_result_export_nodes of the C library."}, \
  {"export_rows", (PyCFunction)(void (*)(void))Result_export_rows, METH_FASTCALL, "export_rows($self, path, /)\n--\n\nWrites all rows as picus_recorder_add_csv does.\n\npicus_result_export_rows of the C library."}, \
  {"export_contacts", (PyCFunction)(void (*)(void))Result_export_contacts, METH_FASTCALL, "export_contacts($self, path, /)\n--\n\nWrites the contacts of all rows as picus_recorder_add_contact_csv does.\n\npicus_result_export_contacts of the C library."}, \
  {"text", (PyCFunction)(void (*)(void))Result_text, METH_FASTCALL, "text($self, key, /)\n--\n\nText stored with the run: \"model.name\", \"model.source\", \"options.scheme\", \"version\", \"command\", \"status\", ...\n\npicus_result_text of the C library."}, \
  {"number", (PyCFunction)(void (*)(void))Result_number, METH_FASTCALL, "number($self, key, /)\n--\n\npicus_result_number of the C library."}, \
  {"plot_count", (PyCFunction)(void (*)(void))Result_plot_count, METH_FASTCALL, "plot_count($self)\n--\n\nThe default figure of the model, stored with the run.\n\npicus_result_plot_count of the C library."}, \


PyObject *Rollout_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Rollout_rows(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Rollout_column_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Rollout_column(PyObject *self, PyObject *const *args, Py_ssize_t count);

#define ROLLOUT_METHODS \
  {"count", (PyCFunction)(void (*)(void))Rollout_count, METH_FASTCALL, "count($self)\n--\n\npicus_rollout_count of the C library."}, \
  {"rows", (PyCFunction)(void (*)(void))Rollout_rows, METH_FASTCALL, "rows($self)\n--\n\npicus_rollout_rows of the C library."}, \
  {"column_count", (PyCFunction)(void (*)(void))Rollout_column_count, METH_FASTCALL, "column_count($self)\n--\n\npicus_rollout_column_count of the C library."}, \
  {"column", (PyCFunction)(void (*)(void))Rollout_column, METH_FASTCALL, "column($self, column, /)\n--\n\npicus_rollout_column of the C library."}, \


PyObject *Study_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Study_axis_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Study_axis_name(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Study_value_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Study_value_name(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Study_section_width(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Study_section_column(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Study_done(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Study_missing(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Study_part_of(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Study_read_journal(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Study_remove_journal(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Study_order_at(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Study_check(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Study_write_csv(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Study_write_section_csv(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Study_write_hdf5(PyObject *self, PyObject *const *args, Py_ssize_t count);

#define STUDY_METHODS \
  {"count", (PyCFunction)(void (*)(void))Study_count, METH_FASTCALL, "count($self)\n--\n\npicus_study_count of the C library."}, \
  {"axis_count", (PyCFunction)(void (*)(void))Study_axis_count, METH_FASTCALL, "axis_count($self)\n--\n\npicus_study_axis_count of the C library."}, \
  {"axis_name", (PyCFunction)(void (*)(void))Study_axis_name, METH_FASTCALL, "axis_name($self, axis, /)\n--\n\npicus_study_axis_name of the C library."}, \
  {"value_count", (PyCFunction)(void (*)(void))Study_value_count, METH_FASTCALL, "value_count($self)\n--\n\npicus_study_value_count of the C library."}, \
  {"value_name", (PyCFunction)(void (*)(void))Study_value_name, METH_FASTCALL, "value_name($self, value, /)\n--\n\npicus_study_value_name of the C library."}, \
  {"section_width", (PyCFunction)(void (*)(void))Study_section_width, METH_FASTCALL, "section_width($self)\n--\n\nNumbers of a state: the time, coordinates, velocities and inputs; 0: the study has no section.\n\npicus_study_section_width of the C library."}, \
  {"section_column", (PyCFunction)(void (*)(void))Study_section_column, METH_FASTCALL, "section_column($self, column, /)\n--\n\npicus_study_section_column of the C library."}, \
  {"done", (PyCFunction)(void (*)(void))Study_done, METH_FASTCALL, "done($self)\n--\n\npicus_study_done of the C library."}, \
  {"missing", (PyCFunction)(void (*)(void))Study_missing, METH_FASTCALL, "missing($self)\n--\n\nThe entries of such a queue: chains with missing runs.\n\npicus_study_missing of the C library."}, \
  {"part_of", (PyCFunction)(void (*)(void))Study_part_of, METH_FASTCALL, "part_of($self, point, part_count, /)\n--\n\nThe part of part_count that has a point, from 1 on; runs that continue each other are in one part.\n\npicus_study_part_of of the C library."}, \
  {"read_journal", (PyCFunction)(void (*)(void))Study_read_journal, METH_FASTCALL, "read_journal($self, path, /)\n--\n\nTakes the runs that a journal has, such as that of a part.\n\npicus_study_read_journal of the C library."}, \
  {"remove_journal", (PyCFunction)(void (*)(void))Study_remove_journal, METH_FASTCALL, "remove_journal($self, path, /)\n--\n\nWhen its results are in a file, the journal that picus_study_run wrote is no longer needed.\n\npicus_study_remove_journal of the C library."}, \
  {"order_at", (PyCFunction)(void (*)(void))Study_order_at, METH_FASTCALL, "order_at($self, point, value, /)\n--\n\npicus_study_order_at of the C library."}, \
  {"check", (PyCFunction)(void (*)(void))Study_check, METH_FASTCALL, "check($self, path, /)\n--\n\nThat the values of an HDF5 file of the same runs came out again, bit for bit, in the runs that were made: a study that collects more values replaces the file then.\n\npicus_study_check of the C library."}, \
  {"write_csv", (PyCFunction)(void (*)(void))Study_write_csv, METH_FASTCALL, "write_csv($self, path, /)\n--\n\nWrite all points in their order.\n\npicus_study_write_csv of the C library."}, \
  {"write_section_csv", (PyCFunction)(void (*)(void))Study_write_section_csv, METH_FASTCALL, "write_section_csv($self, path, /)\n--\n\nA line for each state of the section, with its point and the varied values.\n\npicus_study_write_section_csv of the C library."}, \
  {"write_hdf5", (PyCFunction)(void (*)(void))Study_write_hdf5, METH_FASTCALL, "write_hdf5($self, path, /)\n--\n\npicus_study_write_hdf5 of the C library."}, \


PyObject *Orbit_data_of(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Orbit_section(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Orbit_state_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Orbit_multiplier_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Orbit_multiplier(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Orbit_point_count(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *Orbit_point_at(PyObject *self, PyObject *const *args, Py_ssize_t count);

#define ORBIT_METHODS \
  {"data_of", (PyCFunction)(void (*)(void))Orbit_data_of, METH_FASTCALL, "data_of($self)\n--\n\npicus_orbit_data_of of the C library."}, \
  {"section", (PyCFunction)(void (*)(void))Orbit_section, METH_FASTCALL, "section($self)\n--\n\npicus_orbit_section of the C library."}, \
  {"state_count", (PyCFunction)(void (*)(void))Orbit_state_count, METH_FASTCALL, "state_count($self)\n--\n\npicus_orbit_state_count of the C library."}, \
  {"multiplier_count", (PyCFunction)(void (*)(void))Orbit_multiplier_count, METH_FASTCALL, "multiplier_count($self)\n--\n\nIts eigenvalues without coordinates that grow, larger ones first; those that the section and sticking make zero are exactly 0.\n\npicus_orbit_multiplier_count of the C library."}, \
  {"multiplier", (PyCFunction)(void (*)(void))Orbit_multiplier, METH_FASTCALL, "multiplier($self, index, /)\n--\n\npicus_orbit_multiplier of the C library."}, \
  {"point_count", (PyCFunction)(void (*)(void))Orbit_point_count, METH_FASTCALL, "point_count($self)\n--\n\nThe switching points of a period, in the order of time.\n\npicus_orbit_point_count of the C library."}, \
  {"point_at", (PyCFunction)(void (*)(void))Orbit_point_at, METH_FASTCALL, "point_at($self, index, /)\n--\n\nName \"\": no such index.\n\npicus_orbit_point_at of the C library."}, \

extern const row_type row_types[];
extern const constant constants[];

#endif
