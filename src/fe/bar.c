/* The bar of linear elements (Acary 2012, eq. 71): consistent mass and stiffness
 *
 *   M_e = rho S l_e / 6 [2 1; 1 2],   K_e = E S / l_e [1 -1; -1 1],   l_e = L / N. */
#include "model/internal.h"

enum { ELEMENTS_MOST = 10000000 };

picus_bar_def picus_default_bar_def(void) { return (picus_bar_def){.record_count = -1, .table = -1}; }

static picus_status check_positive(picus_model *model, const char *name, const char *what, double value) {
  picus_status status = picus_model_check_finite(model, value, what, name);
  if (!status && !(value > 0))
    status =
        picus_model_fail(model, PICUS_ERROR_ARGUMENT, "%s '%s' is %g; it must be greater than 0", what, name, value);
  return status;
}

static picus_status check_bar(picus_model *model, const picus_bar_def *def) {
  picus_status status = picus_model_check_name(model, "bar", def->name);
  if (!status && (def->elements < 1 || def->elements > ELEMENTS_MOST))
    status = picus_model_fail(model, PICUS_ERROR_DIMENSION, "the bar '%s' has %d elements; it must have 1 to %d",
                              def->name, def->elements, ELEMENTS_MOST);
  if (!status) status = check_positive(model, def->name, "the length of bar", def->length);
  if (!status) status = check_positive(model, def->name, "the area of bar", def->area);
  if (!status) status = check_positive(model, def->name, "the density of bar", def->density);
  if (!status) status = check_positive(model, def->name, "Young's modulus of bar", def->young);
  if (!status) status = picus_model_check_finite(model, def->gravity, "the gravity of bar", def->name);
  return status;
}

/* The four entries of one element that joins the nodes e and e + 1. */
static void put_element(picus_matrix *matrix, int e, double same, double other) {
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      size_t k = 4 * (size_t)e + 2 * (size_t)i + (size_t)j;
      matrix->row[k] = e + i;
      matrix->column[k] = e + j;
      matrix->value[k] = i == j ? same : other;
    }
}

picus_status picus_model_add_bar(picus_model *model, const picus_bar_def *def) {
  picus_status status = check_bar(model, def);
  if (status) return status;
  picus_context *context = model->context;
  const size_t nodes = (size_t)def->elements + 1, entries = 4 * (size_t)def->elements;
  const double element = def->length / def->elements, mass = def->density * def->area * element;
  int *row = picus_allocate(context, entries, sizeof(int)), *column = picus_allocate(context, entries, sizeof(int));
  double *M = picus_allocate(context, entries, sizeof(double)), *K = picus_allocate(context, entries, sizeof(double));
  double *vectors = picus_allocate(context, 3 * nodes, sizeof(double));
  status = row && column && M && K && vectors ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) {
    picus_structure_def structure = picus_default_structure_def();
    structure.name = def->name;
    structure.mass = (picus_matrix){(int)nodes, entries, row, column, M};
    structure.stiffness = (picus_matrix){(int)nodes, entries, row, column, K};
    for (int e = 0; e < def->elements; e++) { /* linear shape functions: m/6 (2 1; 1 2) and EA/l (1 -1; -1 1) */
      put_element(&structure.mass, e, mass / 3, mass / 6);
      put_element(&structure.stiffness, e, def->young * def->area / element, -def->young * def->area / element);
    }
    double *load = vectors, *start = vectors + nodes, *velocity = vectors + 2 * nodes;
    for (size_t i = 0; i < nodes; i++) {
      load[i] = def->gravity * mass * (i == 0 || i + 1 == nodes ? 0.5 : 1);
      start[i] = def->start;
      velocity[i] = def->velocity_start;
    }
    structure.load = load, structure.start = start, structure.velocity_start = velocity;
    structure.alpha = def->alpha, structure.beta = def->beta;
    structure.unit = "m";
    structure.record_count = def->record_count, structure.record = def->record;
    structure.table = def->table;
    status = picus_model_add_structure(model, &structure);
    if (!status) model->structures[model->structure_count - 1].bar_element = element;
  }
  picus_release(context, row);
  picus_release(context, column);
  picus_release(context, M);
  picus_release(context, K);
  picus_release(context, vectors);
  return status;
}
