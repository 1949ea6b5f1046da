/* Checkpoints: a header that says what the bytes are and for whom, the options, the simulation, the run that makes its
 * steps, and a check sum of it all. */
#include "base/file_names.h"
#include "base/input_file.h"
#include "base/internal.h"
#include "base/output_file.h"
#include "options/table.h"
#include "sim/internal.h"
#include "sim/run.h"
#include "statics/internal.h"

#include <errno.h>
#include <math.h>
#include <picus/version.h>
#include <stdio.h>
#include <string.h>

/* --- fingerprint of the equations --------------------------------------------------------------------------------- */

/* A number for the equations of a system: bits of masses, forces, rates, gaps, directions and energies at its initial
 * state and at another one near it. A model with another parameter has another number, unless the parameter has no
 * effect at both. Shapes have an effect where they are near each other at these states. */

typedef struct printer {
  uint64_t sum;
  double *scratch;
  law_coefficients *coefficients; /* of the fixed laws */
} printer;

static void add_word(printer *p, uint64_t word) {
  const uint64_t pair[2] = {p->sum, word};
  p->sum = picus_check_sum(pair, sizeof pair);
}

static void add_numbers(printer *p, picus_status status, const double *values, size_t count) {
  add_word(p, status ? 1 : picus_check_sum(values, count * sizeof *values));
}

static void add_text(printer *p, const char *text) { add_word(p, picus_check_sum(text, strlen(text))); }

/* Coefficients of the fixed laws that vary, at a slip speed of the size of velocities. */
static void add_coefficients(printer *p, const picus_evaluation *e) {
  const law_set *set = &e->system->fixed;
  for (int i = 0; i < set->law_count; i++) {
    p->scratch[i] = 0.1 / (1 + i % 3);
    p->coefficients[i] = picus_law_constants(&set->laws[i].data);
  }
  picus_status status = picus_evaluate_coefficients(e, p->scratch, p->coefficients);
  add_word(p, status ? 1 : picus_check_sum(p->coefficients, (size_t)set->law_count * sizeof *p->coefficients));
}

static void add_point(printer *p, picus_evaluation *e) {
  const picus_system *s = e->system;
  const size_t nq = (size_t)s->nq, nu = (size_t)s->nu;
  double energies[2] = {0, 0};
  add_numbers(p, picus_evaluate_rate(e, p->scratch), p->scratch, nq);
  add_numbers(p, picus_evaluate_force(e, p->scratch), p->scratch, nu);
  add_numbers(p, picus_evaluate_gaps(e, p->scratch), p->scratch, (size_t)s->fixed.law_count);
  picus_status status = picus_evaluation_update_directions(e);
  add_numbers(p, status, e->W, s->fixed.W_size);
  add_numbers(p, status, e->chi, (size_t)s->fixed.row_count);
  status = picus_evaluation_update_mass(e);
  for (int i = 0; i < e->mass.block_count; i++)
    add_numbers(p, status, e->mass.blocks[i].values, e->mass.blocks[i].count);
  add_numbers(p, picus_evaluate_energy(e, &energies[0], &energies[1]), energies, 2);
  if (s->varies) add_coefficients(p, e);
}

/* Names and numbers of the system itself. */
static void add_system(printer *p, const picus_system *s) {
  for (int i = 0; i < s->nq; i++) add_text(p, s->q_names[i].name);
  for (int i = 0; i < s->nu; i++) add_text(p, s->u_names[i].name);
  for (int i = 0; i < s->fixed.law_count; i++) {
    const picus_system_law *law = &s->fixed.laws[i].data;
    const double numbers[] = {(double)law->kind, law->slips,   law->mu,        law->reservoir,      law->eN,
                              law->eF,           law->rolling, law->displaced, (double)law->impact, law->adhesion};
    add_text(p, law->name);
    add_numbers(p, PICUS_OK, numbers, sizeof numbers / sizeof numbers[0]);
  }
  add_numbers(p, PICUS_OK, s->stop_times, (size_t)s->stop_count);
  if (s->data) add_word(p, s->data);
  add_word(p, (uint64_t)s->input_count);
  add_word(p, (uint64_t)s->work_count);
}

static void print(printer *p, picus_evaluation *e, double t, double *q) {
  const picus_system *s = e->system;
  double *u = q + s->nq;
  add_system(p, s);
  picus_evaluation_start_inputs(e, t);
  picus_system_start(s, q, u);
  picus_evaluation_set_point(e, t, q, u);
  add_point(p, e);
  for (int i = 0; i < s->nq; i++) q[i] += 1e-3 / (1 + i % 7);
  for (int i = 0; i < s->nu; i++) u[i] += 0.1 / (1 + i % 5);
  picus_evaluation_set_point(e, t + 1e-3, q, u);
  add_point(p, e);
}

/* Bits of the equations at two states, so that another model is noticed. Never 0. */
static uint64_t fingerprint_of(picus_sim *sim) {
  const picus_system *s = sim->system;
  const size_t numbers = (size_t)s->nq + (size_t)s->nu;
  printer p = {0};
  picus_evaluation *e = NULL;
  if (sim->fingerprint) return sim->fingerprint;
  double *q = picus_allocate(sim->context, numbers, sizeof *q);
  p.scratch = picus_allocate(sim->context, numbers + (size_t)s->fixed.law_count, sizeof *p.scratch);
  p.coefficients = picus_allocate(sim->context, (size_t)s->fixed.law_count, sizeof *p.coefficients);
  if (q && p.scratch && p.coefficients && !picus_evaluation_create(sim->context, s, &e)) {
    print(&p, e, sim->options.t_start, q);
    sim->fingerprint = p.sum ? p.sum : 1;
  }
  picus_evaluation_destroy(e);
  picus_release(sim->context, p.scratch);
  picus_release(sim->context, p.coefficients);
  picus_release(sim->context, q);
  return sim->fingerprint;
}

/* --- the checkpoint ----------------------------------------------------------------------------------------------- */

enum { FORMAT = 9, MAGIC = 8, VERSION_TEXT = 24, NAME_TEXT = 40 };
static const char magic[MAGIC + 1] = "picus\rck"; /* a change of line ends is noticed */
static const uint64_t byte_order = 0x0102030405060708u;

/* --- header ------------------------------------------------------------------------------------------------------- */

typedef struct checkpoint_header {
  char magic[MAGIC];
  uint64_t format, byte_order;
  char version[VERSION_TEXT];
  uint64_t size; /* of all bytes */
  uint64_t fingerprint;
} checkpoint_header;

static void archive_header(checkpoint_header *h, picus_archive *a) {
  a->part = "header";
  picus_archive_bytes(a, h->magic, MAGIC);
  picus_archive_word(a, &h->format);
  picus_archive_word(a, &h->byte_order);
  picus_archive_bytes(a, h->version, VERSION_TEXT);
  picus_archive_word(a, &h->size);
  picus_archive_word(a, &h->fingerprint);
}

static checkpoint_header header_of(picus_sim *sim, size_t size) {
  checkpoint_header h = {.format = FORMAT, .byte_order = byte_order, .size = size};
  memcpy(h.magic, magic, MAGIC);
  snprintf(h.version, sizeof h.version, "%s", PICUS_VERSION);
  h.fingerprint = fingerprint_of(sim);
  return h;
}

static picus_status check_header(picus_sim *sim, const picus_archive *a, const checkpoint_header *h) {
  picus_context *c = sim->context;
  uint64_t sum;
  if (memcmp(h->magic, magic, MAGIC) != 0) return picus_fail(c, PICUS_ERROR_IO, "this is not a checkpoint of Picus");
  if (h->byte_order != byte_order)
    return picus_fail(c, PICUS_ERROR_IO, "the checkpoint was written on a machine that stores numbers in another way");
  if (h->format != FORMAT || strncmp(h->version, PICUS_VERSION, VERSION_TEXT) != 0)
    return picus_fail(
        c, PICUS_ERROR_IO,
        "the checkpoint was written by Picus %.*s (format %llu), and this is Picus %s (format %d): its steps "
        "may differ; use the version that wrote it",
        VERSION_TEXT - 1, h->version, (unsigned long long)h->format, PICUS_VERSION, FORMAT);
  if (h->size != a->size)
    return picus_fail(c, PICUS_ERROR_IO, "the checkpoint is truncated: it has %zu bytes instead of %llu", a->size,
                      (unsigned long long)h->size);
  memcpy(&sum, a->from + a->size - sizeof sum, sizeof sum);
  if (sum != picus_check_sum(a->from, a->size - sizeof sum))
    return picus_fail(c, PICUS_ERROR_IO, "the checkpoint is damaged: its checksum is wrong");
  return PICUS_OK;
}

/* --- options ------------------------------------------------------------------------------------------------------ */

/* A name of the options must be the same. */
static void same_text(picus_archive *a, const char *name, const char *own) {
  char found[NAME_TEXT] = {0};
  snprintf(found, sizeof found, "%s", own);
  picus_archive_text(a, found, sizeof found);
  if (picus_archive_reads(a) && strncmp(found, own, NAME_TEXT - 1) != 0)
    a->status = picus_fail(a->context, PICUS_ERROR_ARGUMENT,
                           "the checkpoint was written with %s = \"%.40s\", not \"%s\"; use the same options", name,
                           found, own);
}

static void same_number(picus_archive *a, const char *name, double own) {
  double found = own;
  picus_archive_double(a, &found);
  if (picus_archive_reads(a) && found != own)
    a->status =
        picus_fail(a->context, PICUS_ERROR_ARGUMENT,
                   "the checkpoint was written with %s = %.9g, not %.9g; use the same options", name, found, own);
}

static void same_tableau(picus_archive *a, const picus_tableau *own) {
  same_number(a, "stages of the tableau", own->stages);
  same_number(a, "order of the tableau", own->order);
  for (int i = 0; i < PICUS_STAGES_MOST * PICUS_STAGES_MOST; i++)
    same_number(a, "tableau", own->rows[i / PICUS_STAGES_MOST][i % PICUS_STAGES_MOST]);
}

static void same_options(picus_archive *a, const picus_sim_options *o) {
  const picus_run_options own = {.sim = *o};
  picus_archive_mark(a, "options");
  for (int k = 0; k < PICUS_OPTION_TOTAL; k++) {
    const picus_option *option = &picus_option_table[k];
    const char *text = picus_option_text(&own, k);
    if (picus_option_may_change(k)) continue;
    if (option->kind == PICUS_OPTION_OF_TABLEAU)
      same_tableau(a, &o->half_explicit.tableau);
    else if (text)
      same_text(a, option->name, text);
    else
      same_number(a, option->name, picus_option_number(&own, k));
  }
}

/* --- simulation --------------------------------------------------------------------------------------------------- */

static void same_sizes(const picus_system *s, picus_archive *a) {
  picus_archive_mark(a, "sizes");
  picus_archive_same(a, (uint64_t)s->nq, "the model has another number of coordinates");
  picus_archive_same(a, (uint64_t)s->nu, "the model has another number of velocities");
  picus_archive_same(a, (uint64_t)s->fixed.law_count, "the model has another number of laws");
  picus_archive_same(a, (uint64_t)s->fixed.row_count, "the model has other laws");
  picus_archive_same(a, (uint64_t)s->source_count, "the model has another number of sources");
  picus_archive_same(a, (uint64_t)s->input_count, "the model has another number of inputs");
  picus_archive_same(a, (uint64_t)s->work_count, "the model has another number of works");
}

static void archive_inputs(picus_sim *sim, picus_archive *a) {
  picus_archive_mark(a, "inputs as set");
  picus_archive_bool(a, &sim->inputs_wait);
  for (int i = 0; i < sim->system->input_count; i++) {
    input_value *input = &sim->inputs[i];
    picus_archive_double(a, &input->value);
    picus_archive_double(a, &input->rate);
    picus_archive_double(a, &input->since);
    if (picus_archive_reads(a) && !picus_all_finite((double[]){input->value, input->rate, input->since}, 3))
      picus_archive_reject(a, "an input is not finite");
  }
}

static void archive_sim(picus_sim *sim, picus_archive *a) {
  bool has_driver = sim->options.adaptive && (sim->driver.stops || sim->was_loaded);
  same_options(a, &sim->options);
  same_sizes(sim->system, a);
  picus_stepper_archive(&sim->stepper, a);
  archive_inputs(sim, a);
  picus_controls_archive(sim, a);
  picus_archive_double(a, &sim->step_dt);
  picus_archive_int(a, &sim->step_order);
  picus_archive_bool(a, &sim->has_stepped);
  picus_archive_bool(a, &has_driver);
  if (a->status) return;
  if (has_driver && !sim->options.adaptive) picus_archive_reject(a, "its steps are adaptive");
  if (has_driver) picus_driver_archive(&sim->driver, a);
  if (!picus_archive_reads(a)) return;
  sim->was_loaded = has_driver;
  if (has_driver) sim->options.dt_max = sim->driver.dt_max; /* the default one depends on t_end */
}

/* --- saving ------------------------------------------------------------------------------------------------------- */

/* The length of the run follows; 0: no run. */
static void archive_run(picus_sim *sim, picus_archive *a) {
  size_t length;
  picus_archive_mark(a, "steps");
  const size_t place = picus_archive_begin_length(a, &length);
  if (sim->run) {
    picus_run_archive_recorder(sim->run, a);
    picus_run_archive(sim->run, a);
  } else if (sim->saved_run) /* was loaded, and has not gone on yet */
    picus_archive_bytes(a, sim->saved_run, sim->saved_size);
  picus_archive_end_length(a, place);
}

static picus_status write_all(picus_sim *sim, picus_archive *a, size_t size) {
  checkpoint_header header = header_of(sim, size);
  if (!header.fingerprint) return PICUS_ERROR_MEMORY;
  archive_header(&header, a);
  archive_sim(sim, a);
  archive_run(sim, a);
  uint64_t sum = a->direction == ARCHIVE_WRITES && !a->status ? picus_check_sum(a->to, a->at) : 0;
  picus_archive_word(a, &sum);
  return a->status;
}

/* A state that overflows is not saved: it could not be loaded, and may take the place of a good checkpoint. */
static picus_status check_saving(picus_sim *sim) {
  if (sim->is_running && !sim->is_between_steps)
    return picus_fail(sim->context, PICUS_ERROR_ARGUMENT,
                      "a run can be saved between two steps only: from its functions `checkpoint` and `step`");
  picus_status status = picus_system_check_state(sim->context, sim->system, sim->stepper.q, sim->stepper.u);
  if (status) return status;
  return sim->run && sim->run->recorder ? picus_recorder_flush(sim->run->recorder) : PICUS_OK;
}

picus_status picus_sim_save(picus_sim *sim, void *data, size_t capacity, size_t *size) {
  picus_archive measured = {.context = sim->context, .direction = ARCHIVE_MEASURES};
  *size = 0;
  picus_status status = check_saving(sim);
  if (!status) status = write_all(sim, &measured, 0);
  if (status) return status;
  *size = measured.at;
  if (!data) return PICUS_OK;
  if (capacity < measured.at)
    return picus_fail(sim->context, PICUS_ERROR_ARGUMENT, "a checkpoint of %zu bytes does not fit into %zu",
                      measured.at, capacity);
  picus_archive written = {.context = sim->context, .direction = ARCHIVE_WRITES, .to = data, .size = measured.at};
  return write_all(sim, &written, measured.at);
}

picus_status picus_sim_save_file(picus_sim *sim, const char *path) {
  size_t size;
  picus_status status = picus_sim_save(sim, NULL, 0, &size);
  if (status) return status;
  void *data = picus_allocate(sim->context, size, 1);
  if (!data) return PICUS_ERROR_MEMORY;
  status = picus_sim_save(sim, data, size, &size);
  if (!status) status = picus_output_save(sim->context, path, data, size);
  picus_release(sim->context, data);
  return status;
}

/* --- loading ------------------------------------------------------------------------------------------------------ */

static picus_status keep_run(picus_sim *sim, picus_archive *a) {
  size_t length;
  picus_archive_mark(a, "steps");
  picus_archive_begin_length(a, &length);
  if (!a->status && length + sizeof(uint64_t) != a->size - a->at) picus_archive_reject(a, "it has another length");
  if (a->status || length == 0) return a->status;
  sim->saved_run = picus_allocate(sim->context, length, 1);
  if (!sim->saved_run) return PICUS_ERROR_MEMORY;
  memcpy(sim->saved_run, a->from + a->at, length);
  sim->saved_size = length;
  return PICUS_OK;
}

/* As it was created: a failure has left it anywhere. */
static void start_again(picus_sim *sim) {
  stepper *s = &sim->stepper;
  picus_sim_drop_saved_run(sim);
  picus_system_start(sim->system, s->q_next, s->u_next);
  picus_stepper_restart(s, sim->options.t_start, s->q_next, s->u_next);
  s->contacts.history.gone = (law_totals){0};
  for (int i = 0; i < sim->system->input_count; i++)
    sim->inputs[i] = (input_value){sim->system->inputs[i].start, sim->system->inputs[i].rate, sim->options.t_start};
  picus_stepper_set_inputs(s, sim->inputs);
  sim->inputs_wait = sim->was_loaded = sim->has_stepped = false;
  picus_controls_begin(sim);
  sim->driver.stops = NULL;
  sim->step_dt = 0;
  sim->step_order = 0;
  if (sim->options.start_impact) /* which was possible before */
    (void)picus_stepper_start_impact(s, &sim->options.solver,
                                     sim->options.adaptive ? sim->options.dt_min : sim->options.dt);
}

picus_status picus_sim_load(picus_sim *sim, const void *data, size_t size, picus_load load) {
  picus_archive a = {.context = sim->context, .direction = ARCHIVE_READS, .from = data, .size = size};
  checkpoint_header header = {.format = 0};
  if (sim->is_running) return picus_sim_fail_running(sim);
  if (load != PICUS_LOAD_SAME_MODEL && load != PICUS_LOAD_CHANGED_MODEL)
    return picus_fail(sim->context, PICUS_ERROR_ARGUMENT, "a checkpoint cannot be loaded with load = %d", (int)load);
  archive_header(&header, &a);
  picus_status status = a.status ? picus_fail(sim->context, PICUS_ERROR_IO, "this is not a checkpoint of Picus")
                                 : check_header(sim, &a, &header);
  if (status) return status;
  const uint64_t own = load == PICUS_LOAD_SAME_MODEL ? fingerprint_of(sim) : header.fingerprint;
  if (!own) return PICUS_ERROR_MEMORY;
  if (header.fingerprint != own)
    return picus_fail(sim->context, PICUS_ERROR_ARGUMENT,
                      "the checkpoint belongs to another model, or to one with other parameters");
  picus_sim_drop_saved_run(sim);
  archive_sim(sim, &a);
  status = a.status ? a.status : keep_run(sim, &a);
  if (status) start_again(sim);
  return status;
}

picus_status picus_sim_load_file(picus_sim *sim, const char *path, picus_load load) {
  unsigned char *data;
  size_t size;
  picus_status status = picus_file_bytes(sim->context, path, SIZE_MAX / 4, &data, &size);
  if (!status) status = picus_sim_load(sim, data, size, load);
  picus_release(sim->context, data);
  return status;
}

/* --- the run that continues --------------------------------------------------------------------------------------- */

void picus_sim_take_saved_run(picus_sim *sim, struct run *r) {
  r->resumes = sim->saved_run != NULL;
  r->saved = (picus_archive){
      .context = sim->context, .direction = ARCHIVE_READS, .from = sim->saved_run, .size = sim->saved_size};
}

void picus_sim_drop_saved_run(picus_sim *sim) {
  picus_release(sim->context, sim->saved_run);
  sim->saved_run = NULL;
  sim->saved_size = 0;
}
