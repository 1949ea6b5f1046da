/* Sleep, if it is asked for: bodies that have been at rest for some steps, with all bodies that they touch, do not move
 * any more. Their contact problem is then the same in every step, bit by bit, and its last percussions still solve it:
 * the solver judges them and has nothing to do (picus_solver_keep_solutions). Whatever touches or pulls the bodies, or
 * moves their supports, changes that problem, so that it is solved, and they move again: there is no list of what may
 * wake them.
 *
 * At rest means: the kinetic energy of every body is below REST^2 of the largest one that the forces of the step would
 * give one of them. What moves more slowly is the residual of the solver. */
#include "stepper/internal.h"

#include "base/disjoint_sets.h"
#include "base/internal.h"

#define REST 1e-6
enum { STEPS = 20 }; /* at rest */

picus_status picus_sleep_create(stepper *s) {
  sleepers *x = &s->sleep;
  const size_t parts = (size_t)s->system->part_count, nu = (size_t)s->system->nu;
  picus_status status = PICUS_FIXED(&s->arrays, sizeof *x->up, parts, &x->up);
  if (!status) status = PICUS_FIXED(&s->arrays, sizeof *x->wakes, parts, &x->wakes);
  /* memory: steps at rest, of each part */
  if (!status) status = PICUS_FIXED(&s->arrays, sizeof(double), parts, &x->given, &s->memory);
  if (!status) status = PICUS_FIXED(&s->arrays, sizeof(double), nu, &x->change, &x->momentum);
  if (status) return status;
  s->memory_size = parts;
  x->on = true;
  picus_solver_keep_solutions(s->contacts.solver, true);
  return PICUS_OK;
}

/* Parts that laws connect; up is -1 for a part that no law acts on. */
static void connect(const stepper *s, sleepers *x) {
  for (int i = 0; i < s->system->part_count; i++) x->up[i] = -1;
  for (int k = 0; k < s->problem.active_count; k++) {
    const system_law *law = &s->set->laws[s->problem.active[k]];
    for (int j = 0; j < law->part_count; j++) {
      const int part = law->parts[j];
      if (x->up[part] < 0) x->up[part] = part;
      picus_sets_join(x->up, law->parts[0], part);
    }
  }
}

/* Twice the kinetic energy of each part, of the velocities v. */
static double energy_of(const stepper *s, const double *momentum, const double *v, int part) {
  const system_part *p = &s->system->parts[part];
  return picus_dot(p->nu, momentum + p->u0, v + p->u0);
}

/* The largest energy of an island that the forces of the step would give one of its bodies. */
static void note_given(const stepper *s, sleepers *x, const system_matrix *mass) {
  picus_subtract(s->system->nu, s->u_free, s->u, x->change);
  picus_system_matrix_multiply(mass, x->change, x->momentum);
  for (int i = 0; i < s->system->part_count; i++) {
    x->given[i] = 0;
    x->wakes[i] = false;
  }
  for (int i = 0; i < s->system->part_count; i++) {
    if (x->up[i] < 0) continue;
    const int root = picus_set_root(x->up, i);
    x->given[root] = fmax(x->given[root], energy_of(s, x->momentum, x->change, i));
  }
}

/* Counts the steps at rest; an island sleeps if all its bodies have been at rest long enough. */
static void count_rest(const stepper *s, sleepers *x, const system_matrix *mass, const double *u) {
  picus_system_matrix_multiply(mass, u, x->momentum);
  for (int i = 0; i < s->system->part_count; i++)
    if (x->up[i] >= 0 && !(energy_of(s, x->momentum, u, i) <= REST * REST * x->given[picus_set_root(x->up, i)]))
      x->wakes[picus_set_root(x->up, i)] = true;
  for (int i = 0; i < s->system->part_count; i++) {
    const bool rests = x->up[i] >= 0 && !x->wakes[picus_set_root(x->up, i)];
    s->memory[i] = rests ? fmin(s->memory[i] + 1, STEPS) : 0;
  }
  for (int i = 0; i < s->system->part_count; i++)
    if (x->up[i] >= 0 && s->memory[i] < STEPS) x->wakes[picus_set_root(x->up, i)] = true;
}

void picus_sleep_settle(stepper *s, const system_matrix *mass, double *u, picus_step_info *info) {
  sleepers *x = &s->sleep;
  connect(s, x);
  note_given(s, x, mass);
  count_rest(s, x, mass, u);
  info->asleep = 0;
  for (int i = 0; i < s->system->part_count; i++) {
    if (x->up[i] < 0 || x->wakes[picus_set_root(x->up, i)]) continue;
    picus_clear(s->system->parts[i].nu, u + s->system->parts[i].u0);
    info->asleep++;
  }
}
