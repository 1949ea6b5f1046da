/* Laws that act on flexible components: the parts they act on, and the positions of the entries of their rows. */
#include "system/formulas.h"

#include "base/internal.h"

/* Does the law act on the velocities of this part? It must if it acts on nothing else. */
static bool acts_on_own(const picus_model *model, const equations *eq, int first_row, int dim, bool has_nodes) {
  if (!has_nodes) return true;
  for (int j = first_row * eq->nu; j < (first_row + dim) * eq->nu; j++) {
    double value;
    if (!picus_expr_is_number(model->pool, eq->W[j], &value) || value != 0) return true;
  }
  return false;
}

/* The parts that a law touches become its blocks. */
static picus_status set_blocks_of(const picus_system *system, const bool *touched, system_law *law) {
  law->block_count = 0;
  for (int p = 0; p < system->part_count; p++) law->block_count += touched[p];
  law->blocks = picus_allocate(system->context, (size_t)law->block_count, sizeof *law->blocks);
  if (!law->blocks) return PICUS_ERROR_MEMORY;
  for (int p = 0, b = 0; p < system->part_count; p++)
    if (touched[p]) law->blocks[b++] = p;
  return PICUS_OK;
}

picus_status picus_formulas_set_blocks(const picus_model *model, const equations *eq, picus_system *system) {
  bool *touched = picus_allocate(system->context, (size_t)system->part_count, sizeof *touched);
  picus_status status = touched ? PICUS_OK : PICUS_ERROR_MEMORY;
  size_t entry = 0;
  for (int i = 0, row = 0; status == PICUS_OK && i < model->law_count; i++) {
    int dim = picus_model_law_rows(&model->laws[i]);
    bool has_nodes = false;
    for (int p = 0; p < system->part_count; p++) touched[p] = false;
    for (; entry < eq->node_W_count && eq->node_W[entry].row < row + dim; entry++) {
      touched[1 + model->nodes[eq->node_W[entry].node].structure] = true;
      has_nodes = true;
    }
    touched[0] = acts_on_own(model, eq, row, dim, has_nodes);
    status = set_blocks_of(system, touched, &system->laws[i]);
    row += dim;
  }
  picus_release(system->context, touched);
  return status;
}

/* The start of the block of a part in the rows of a law; SIZE_MAX: the law does not act on it. */
static size_t block_offset(const picus_system *system, const system_law *law, int part) {
  size_t offset = 0;
  for (int b = 0; b < law->block_count; b++) {
    if (law->blocks[b] == part) return offset;
    offset += (size_t)system->parts[law->blocks[b]].nu;
  }
  return SIZE_MAX;
}

picus_status picus_formulas_place_nodes(const picus_model *model, picus_system *system) {
  formulas_part *part = system->parts[0].self;
  formula_rows *rows = &part->rows;
  for (int i = 0; i < model->node_count; i++) {
    const system_part *structure = &system->parts[1 + model->nodes[i].structure];
    part->nodes.q[i] = structure->q0 + model->nodes[i].index;
    part->nodes.u[i] = structure->u0 + model->nodes[i].index;
  }
  if (model->node_count == 0) return PICUS_OK;
  size_t entry = 0;
  for (int i = 0; i < system->law_count; i++) {
    const system_law *law = &system->laws[i];
    for (int r = 0; r < law->data.dim; r++) {
      const int row = law->data.first_row + r;
      const size_t start = law->W0 + (size_t)r * (size_t)law->width, own = block_offset(system, law, 0);
      rows->own[row] = own == SIZE_MAX ? SIZE_MAX : start + own;
      for (; entry < rows->node_count && rows->node_row[entry] == row; entry++) { /* they are sorted by rows */
        const picus_model_displacement *node = &model->nodes[rows->node[entry]];
        rows->node_at[entry] = start + block_offset(system, law, 1 + node->structure) + (size_t)node->index;
      }
    }
  }
  rows->width = system->W_size;
  return PICUS_OK;
}
