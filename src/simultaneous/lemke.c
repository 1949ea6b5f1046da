/* Solver "lemke": contacts as one standard linear complementarity problem, solved by Lemke's pivoting (pivoting.h).
 *
 * Everything happens in scaled variables, P_i = d_i s p_i and xi_i = (s / d_i) v_i, in which G has a unit diagonal and
 * the largest entry of c is 1. Bilateral rows are eliminated first. The rest is written in pairs (x, y). Planar
 * friction is exact (Glocker, Studer 2005, eq. 27, 33):
 *
 *   unilateral  (p, v)
 *   Coulomb     (p_N, v_N), (p_R, v_R), (v_L, p_L)  with  p_T = p_R - mu p_N,  p_L = 2 mu p_N - p_R,  v_T = v_R - v_L
 *   reservoir               (p_R, v_R), (v_L, p_L)  with  p   = p_R - a,       p_L = 2 a - p_R,       v   = v_R - v_L
 *
 * The reservoir's constant a enters b only: every row gets -G a, and the row of p_L gets 2 a.
 *
 * Spatial friction is approximated by a pyramid with corners at the unit vectors e_1 ... e_F (Stewart, Trinkle 1996,
 * eq. 9 to 12; Anitescu, Potra 1997, eq. 8), inscribed into the round cone or ball:
 *
 *   Coulomb     (p_N, v_N), (b_k, e_k . v_T + w), (w, mu p_N - sum b)  with  p_T = sum b_k e_k
 *   reservoir               (b_k, e_k . v + w),   (w, a - sum b)       with  p   = sum b_k e_k
 *
 * Rolling friction is a pyramid with P_N of its contact, exact in the plane, where it has the two corners +1 and -1:
 *
 *   rolling     (b_k, e_k . v + w),   (w, rho p_N - sum b)             with  p   = sum b_k e_k
 *
 * To keep the entries of order 1 for any mu, the unknown of a Coulomb law's first pair is (1 + mu) p_N. */
#include "base/elementary.h"
#include "simultaneous/pivoting.h"
#include "simultaneous/scaling.h"

#include <float.h>
#include <string.h>

enum { LEAST_CORNERS_OF_BALL = 6 }; /* fewer do not surround a ball of three dimensions */

#define PAIRS_HOLD 1e-9 /* violation of the pairs, in scaled variables, above which a pyramid problem is not solved */

/* The meaning of the k-th pair. */
typedef enum pair_kind {
  NORMAL,
  RIGHT,
  LEFT,
  RESERVOIR_RIGHT,
  RESERVOIR_LEFT,
  PYRAMID_NORMAL,
  CORNER,
  LIMIT,
  RESERVOIR_LIMIT,
  ROLLING_LIMIT
} pair_kind;

typedef struct lcp {
  const picus_contact_problem *problem;
  int facets;
  int size; /* pairs */
  double *d, s;
  double *T;                 /* rows x (rows + 1): [D G D, D c / s], bilateral rows eliminated in place */
  double *p, *A, *b, *share; /* share: of pair k: mu, or a, in scaled variables */
  int *pivot_column;         /* of row i: the bilateral unknown it gives, or -1 */
  int *kind, *row, *law;     /* of pair k; the row: of its percussion, for corners the first of the ball */
  int *corner;               /* of pair k: the number of its corner; of a limit: how many corners it has */
  double *corners[4];        /* of friction in 2 and 3 directions: the corners of its pyramid, one after the other */
  double ends[2];            /* the corners of rolling friction in one direction */
  int *involved;             /* of law i: whether it excludes a solution; at the head of the memory */
  picus_pivoting pivoting;
} lcp;

/* --- size and memory ------------------------------------------------------------------------------------------ */

static int friction_rows(const picus_law *law) {
  if (law->kind == PICUS_COULOMB) return law->dim - 1;
  return law->kind == PICUS_RESERVOIR || law->kind == PICUS_ROLLING ? law->dim : 0;
}

static int corners_of(int facets, int directions) {
  if (directions == 1) return 2;
  return directions > 2 && facets < LEAST_CORNERS_OF_BALL ? LEAST_CORNERS_OF_BALL : facets;
}

static int pair_count(const picus_law *law, int facets) {
  int directions = friction_rows(law), normal = law->kind == PICUS_COULOMB || law->kind == PICUS_UNILATERAL;
  if (directions == 0) return normal;
  if (law->kind == PICUS_ROLLING) return corners_of(facets, directions) + 1;
  return normal + (directions == 1 ? 2 : corners_of(facets, directions) + 1);
}

static picus_memory_need need_of_pairs(size_t rows, size_t pairs) {
  return (picus_memory_need){.doubles = rows * (rows + 1) + 2 * rows + pairs * pairs + pairs * (pairs + 2) + 3 * pairs,
                             .ints = 2 * rows + 4 * pairs + pairs + (pairs + 1) + (2 * pairs + 1)};
}

/* Planar friction: a row brings at most two pairs (a reservoir), a contact with rolling friction two for each. */
static picus_memory_need planar_need(int law_count, int size) {
  (void)law_count;
  return need_of_pairs((size_t)size, 2 * (size_t)size);
}

static picus_memory_need pyramid_need(const picus_solver_options *options, int law_count, int size) {
  size_t corners = (size_t)corners_of(options->facets, 3);
  size_t planar = 2 * (size_t)size, spatial = (size_t)law_count * (corners + 2);
  picus_memory_need need = need_of_pairs((size_t)size, planar > spatial ? planar : spatial);
  need.doubles += 5 * corners; /* of two and three numbers each */
  return need;
}

/* Divides the memory among the arrays of the linear complementarity problem. */
static void carve(lcp *l, picus_solver_memory memory) {
  size_t rows = (size_t)l->problem->size, pairs = 0;
  for (int i = 0; i < l->problem->law_count; i++) pairs += (size_t)pair_count(&l->problem->laws[i], l->facets);
  double *next = memory.doubles;
  l->d = next;
  l->p = next += rows;
  l->b = next += rows;
  l->pivoting.defect = next += pairs;
  l->share = next += pairs;
  l->T = next += pairs;
  l->A = next += rows * (rows + 1);
  l->pivoting.table = next += pairs * pairs;
  l->corners[2] = next += pairs * (pairs + 2);
  l->corners[3] = next + 2 * (size_t)l->facets;
  int *ints = memory.ints;
  l->involved = ints; /* first: the solver object reads the laws in conflict there */
  l->pivot_column = ints += l->problem->law_count;
  l->kind = ints += rows;
  l->row = ints += pairs;
  l->law = ints += pairs;
  l->corner = ints += pairs;
  l->pivoting.basic = ints += pairs;
  l->pivoting.nonbasic = ints += pairs;
  l->pivoting.place = ints + pairs + 1;
  memset(l->involved, 0, (size_t)l->problem->law_count * sizeof *l->involved);
}

/* --- scaling -------------------------------------------------------------------------------------------------- */

static double *scaled_row(const lcp *l, int i) { return l->T + (size_t)i * (size_t)(l->problem->size + 1); }

/* T = [D G D, D c / s]. */
static void scale(lcp *l) {
  const picus_contact_problem *problem = l->problem;
  int size = problem->size;
  picus_scale_factors(problem, l->d);
  picus_scale_balls_alike(problem, l->d);
  l->s = 0;
  for (int i = 0; i < size; i++) l->s = fmax(l->s, fabs(l->d[i] * problem->c[i]));
  if (!(l->s > DBL_MIN)) l->s = 1;
  for (int i = 0; i < size; i++) {
    double *T = scaled_row(l, i);
    const double *G = problem->G + (size_t)i * (size_t)size;
    for (int j = 0; j < size; j++) T[j] = l->d[i] * G[j] * l->d[j];
    T[size] = l->d[i] * problem->c[i] / l->s;
  }
}

/* --- bilateral rows ------------------------------------------------------------------------------------------- */

#define CONTRADICTION 1e-9 /* remainder of a redundant bilateral row, scaled, beyond round-off */

enum { NOT_BILATERAL = -2, NO_PIVOT = -1 }; /* of a row; otherwise the column of its pivot */

static int mark_bilateral(lcp *l) {
  int count = 0;
  for (int i = 0, row = 0; i < l->problem->law_count; row += l->problem->laws[i].dim, i++)
    for (int k = 0; k < l->problem->laws[i].dim; k++) {
      bool bilateral = l->problem->laws[i].kind == PICUS_BILATERAL;
      l->pivot_column[row + k] = bilateral ? NO_PIVOT : NOT_BILATERAL;
      count += bilateral;
    }
  return count;
}

/* Whether a bilateral unknown has been eliminated; p marks it while the elimination runs. */
static bool is_eliminated(const lcp *l, int column) { return l->p[column] != 0; }

static double find_pivot(const lcp *l, int *row, int *column) {
  double largest = 0;
  int size = l->problem->size;
  for (int i = 0; i < size; i++) {
    if (l->pivot_column[i] != NO_PIVOT) continue;
    for (int j = 0; j < size; j++)
      if (l->pivot_column[j] != NOT_BILATERAL && !is_eliminated(l, j) && fabs(scaled_row(l, i)[j]) > largest) {
        largest = fabs(scaled_row(l, i)[j]);
        *row = i;
        *column = j;
      }
  }
  return largest;
}

static void eliminate_column(lcp *l, int row, int column) {
  int size = l->problem->size;
  double *pivot_row = scaled_row(l, row), inverse = 1 / pivot_row[column];
  for (int j = 0; j <= size; j++) pivot_row[j] *= inverse;
  pivot_row[column] = 1;
  for (int i = 0; i < size; i++) {
    double *other = scaled_row(l, i), factor = other[column];
    if (i == row || factor == 0) continue;
    for (int j = 0; j <= size; j++) other[j] -= factor * pivot_row[j];
    other[column] = 0;
  }
  l->pivot_column[row] = column;
  l->p[column] = 1;
}

static void involve_row(lcp *l, int row) {
  int law = 0;
  for (int first = 0; first + l->problem->laws[law].dim <= row; law++) first += l->problem->laws[law].dim;
  l->involved[law] = 1;
}

/* Which bilateral rows contradict each other. An unknown without a pivot gives a vector n of the null space, in the
 * reduced columns; As G is symmetric, n . xi = n . c for every P. */
static void involve_contradicting_rows(lcp *l) {
  int size = l->problem->size;
  for (int q = 0; q < size; q++) {
    if (l->pivot_column[q] == NOT_BILATERAL || is_eliminated(l, q)) continue;
    double product = l->d[q] * l->problem->c[q] / l->s;
    for (int i = 0; i < size; i++)
      if (l->pivot_column[i] >= 0) {
        int k = l->pivot_column[i];
        product -= scaled_row(l, i)[q] * l->d[k] * l->problem->c[k] / l->s;
      }
    if (!(fabs(product) > CONTRADICTION)) continue;
    involve_row(l, q);
    for (int i = 0; i < size; i++)
      if (l->pivot_column[i] >= 0 && fabs(scaled_row(l, i)[q]) > CONTRADICTION) involve_row(l, l->pivot_column[i]);
  }
}

/* Gauss-Jordan with full pivoting among the bilateral rows and unknowns. Rows without a pivot are redundant; if they
 * contradict the others, there is no solution. */
static picus_status eliminate_bilateral(lcp *l) {
  int count = mark_bilateral(l), size = l->problem->size, row = 0, column = 0;
  memset(l->p, 0, (size_t)size * sizeof *l->p);
  for (int k = 0; k < count; k++) {
    if (!(find_pivot(l, &row, &column) > 64 * DBL_EPSILON * size)) break;
    eliminate_column(l, row, column);
  }
  for (int i = 0; i < size; i++) {
    if (l->pivot_column[i] != NO_PIVOT) continue;
    double largest = 0;
    for (int j = 0; j < size; j++)
      if (l->pivot_column[j] == NOT_BILATERAL) largest = fmax(largest, fabs(scaled_row(l, i)[j]));
    if (largest > CONTRADICTION) return PICUS_NOT_CONVERGED; /* G is not a Delassus matrix */
    if (fabs(scaled_row(l, i)[size]) > CONTRADICTION) {
      involve_contradicting_rows(l);
      return PICUS_NO_SOLUTION;
    }
  }
  return PICUS_OK;
}

/* --- pairs ---------------------------------------------------------------------------------------------------- */

static void add_pair(lcp *l, pair_kind kind, int law, int row, double share, int corner) {
  l->kind[l->size] = (int)kind;
  l->law[l->size] = law;
  l->row[l->size] = row;
  l->share[l->size] = share;
  l->corner[l->size++] = corner;
}

static void list_pyramid(lcp *l, int law, int row, double share, pair_kind limit) {
  int corners = corners_of(l->facets, friction_rows(&l->problem->laws[law]));
  for (int k = 0; k < corners; k++) add_pair(l, CORNER, law, row, share, k);
  add_pair(l, limit, law, row, share, corners);
}

/* The complementary pairs of all laws, in the order that fill_row relies on. */
static void list_pairs(lcp *l) {
  l->size = 0;
  for (int i = 0, row = 0; i < l->problem->law_count; row += l->problem->laws[i].dim, i++) {
    const picus_law *law = &l->problem->laws[i];
    bool spatial = friction_rows(law) > 1;
    double mu, a;
    switch (law->kind) {
    case PICUS_BILATERAL:
      break;
    case PICUS_UNILATERAL:
      add_pair(l, NORMAL, i, row, 0, 0);
      break;
    case PICUS_COULOMB:
      mu = law->radius * l->d[row] / l->d[row + 1]; /* in scaled percussions */
      add_pair(l, spatial ? PYRAMID_NORMAL : NORMAL, i, row, mu, 0);
      if (spatial) {
        list_pyramid(l, i, row + 1, mu, LIMIT);
        break;
      }
      add_pair(l, RIGHT, i, row + 1, mu, 0);
      add_pair(l, LEFT, i, row + 1, mu, 0);
      break;
    case PICUS_RESERVOIR:
      a = law->radius / (l->d[row] * l->s);
      if (spatial) {
        list_pyramid(l, i, row, a, RESERVOIR_LIMIT);
        break;
      }
      add_pair(l, RESERVOIR_RIGHT, i, row, a, 0);
      add_pair(l, RESERVOIR_LEFT, i, row, a, 0);
      break;
    case PICUS_ROLLING:
      list_pyramid(l, i, row, law->radius * l->d[row - law[-1].dim] / l->d[row], ROLLING_LIMIT);
      break;
    }
  }
}

/* The k-th corner of a pyramid: evenly around the circle from the first direction on; on a sphere, points of a spiral
 * of equal areas over one half, and their opposite points (Gonzalez 2010). */
static void corner_of(int directions, int corners, int k, double *e) {
  const double pi = 3.141592653589793, golden = pi * (3 - sqrt(5));
  if (directions == 2) {
    e[0] = picus_cos(2 * pi * k / corners);
    e[1] = picus_sin(2 * pi * k / corners);
    return;
  }
  int half = corners / 2, point = k % half;
  double height = (point + 0.5) / half, width = sqrt(1 - height * height), sign = k < half ? 1 : -1;
  e[0] = sign * width * picus_cos(golden * point);
  e[1] = sign * width * picus_sin(golden * point);
  e[2] = sign * height;
}

/* The corner of a pair and the number of its entries. */
static const double *corner_of_pair(const lcp *l, int pair, int *directions) {
  *directions = friction_rows(&l->problem->laws[l->law[pair]]);
  if (*directions == 1) return l->ends + l->corner[pair];
  return l->corners[*directions] + (ptrdiff_t)*directions * l->corner[pair];
}

/* Coefficient of the unknown of a pair in the velocity v of a row of percussions. */
static double velocity_coefficient(const lcp *l, int row, int pair) {
  const double *T = scaled_row(l, row);
  int column = l->row[pair];
  double mu = l->share[pair], sum = 0;
  const double *e;
  int directions;
  switch ((pair_kind)l->kind[pair]) {
  case NORMAL: /* the columns W_N - W_T mu of eq. 33 */
    return mu > 0 ? (T[column] - mu * T[column + 1]) / (1 + mu) : T[column];
  case PYRAMID_NORMAL:
    return T[column] / (1 + mu);
  case RIGHT:
  case RESERVOIR_RIGHT:
    return T[column];
  case CORNER:
    e = corner_of_pair(l, pair, &directions);
    for (int k = 0; k < directions; k++) sum += T[column + k] * e[k];
    return sum;
  case LEFT:
  case RESERVOIR_LEFT:
  case LIMIT:
  case RESERVOIR_LIMIT:
  case ROLLING_LIMIT:
    break;
  }
  return 0;
}

/* A x + b += factor v for a row of velocities v: c, and the share -G a of the planar reservoirs. */
static void add_velocity_row(lcp *l, int pair, int row, double factor) {
  const double *T = scaled_row(l, row);
  double *A = l->A + (size_t)pair * (size_t)l->size;
  l->b[pair] += factor * T[l->problem->size];
  for (int k = 0; k < l->size; k++) {
    A[k] += factor * velocity_coefficient(l, row, k);
    if (l->kind[k] == RESERVOIR_RIGHT) l->b[pair] -= factor * T[l->row[k]] * l->share[k];
  }
}

/* The normal pair of the contact of a rolling law, whose unknown is (1 + mu) p_N. */
static int normal_of(const lcp *l, int pair) {
  const int contact = l->law[pair] - 1;
  while (l->law[pair] != contact || (l->kind[pair] != NORMAL && l->kind[pair] != PYRAMID_NORMAL)) pair--;
  return pair;
}

/* The row of a pair in y = A x + b; its equation stands beside each kind. */
static void fill_row(lcp *l, int pair) {
  double *A = l->A + (size_t)pair * (size_t)l->size, share = l->share[pair];
  const double *e;
  int directions, limit = pair; /* of the pyramid of a corner: the pair behind its last one */
  memset(A, 0, (size_t)l->size * sizeof *A);
  l->b[pair] = 0;
  switch ((pair_kind)l->kind[pair]) {
  case NORMAL: /* y = v_N */
  case PYRAMID_NORMAL:
    add_velocity_row(l, pair, l->row[pair], 1);
    break;
  case RIGHT: /* y = v_R = v_T + v_L */
  case RESERVOIR_RIGHT:
    add_velocity_row(l, pair, l->row[pair], 1);
    A[pair + 1] += 1;
    break;
  case LEFT: /* y = p_L = 2 mu p_N - p_R */
    A[pair - 2] = 2 * share / (1 + share);
    A[pair - 1] = -1;
    break;
  case RESERVOIR_LEFT: /* y = p_L = 2 a - p_R */
    A[pair - 1] = -1;
    l->b[pair] = 2 * share;
    break;
  case CORNER: /* y = e . v + w */
    e = corner_of_pair(l, pair, &directions);
    for (int k = 0; k < directions; k++) add_velocity_row(l, pair, l->row[pair] + k, e[k]);
    while (l->kind[limit] == CORNER) limit++;
    A[limit] += 1;
    break;
  case LIMIT:           /* y = mu p_N - sum b */
  case RESERVOIR_LIMIT: /* y = a - sum b */
  case ROLLING_LIMIT:   /* y = rho p_N - sum b */
    for (int k = 1; k <= l->corner[pair]; k++) A[pair - k] = -1;
    if (l->kind[pair] == LIMIT)
      A[pair - l->corner[pair] - 1] = share / (1 + share);
    else if (l->kind[pair] == ROLLING_LIMIT)
      A[normal_of(l, pair)] = share / (1 + l->share[normal_of(l, pair)]);
    else
      l->b[pair] = share;
    break;
  }
}

/* --- solution ------------------------------------------------------------------------------------------------- */

/* The percussions of the laws that are not bilateral, scaled. */
static void read_pairs(lcp *l) {
  const double *e;
  int directions;
  for (int k = 0; k < l->size; k++) {
    double x = picus_prox_positive(picus_pivoting_value(&l->pivoting, k)), share = l->share[k];
    switch ((pair_kind)l->kind[k]) {
    case NORMAL:
    case PYRAMID_NORMAL:
      l->p[l->row[k]] = x / (1 + share);
      break;
    case RIGHT: /* p_T = p_R - mu p_N; the normal pair precedes it */
      l->p[l->row[k]] = x - share * l->p[l->row[k] - 1];
      break;
    case RESERVOIR_RIGHT:
      l->p[l->row[k]] = x - share;
      break;
    case CORNER:
      e = corner_of_pair(l, k, &directions);
      for (int j = 0; j < directions; j++) l->p[l->row[k] + j] += x * e[j];
      break;
    case LEFT:
    case RESERVOIR_LEFT:
    case LIMIT:
    case RESERVOIR_LIMIT:
    case ROLLING_LIMIT:
      break;
    }
  }
}

/* The bilateral unknowns from the rows that gave their pivots; redundant ones stay zero. */
static void read_bilateral(lcp *l) {
  int size = l->problem->size;
  for (int i = 0; i < size; i++) {
    if (l->pivot_column[i] < 0) continue;
    const double *T = scaled_row(l, i);
    double sum = T[size];
    for (int j = 0; j < size; j++)
      if (l->pivot_column[j] == NOT_BILATERAL) sum += T[j] * l->p[j];
    l->p[l->pivot_column[i]] = -sum;
  }
}

static bool is_percussion(int kind) {
  return kind != LEFT && kind != RESERVOIR_LEFT && kind != LIMIT && kind != RESERVOIR_LIMIT && kind != ROLLING_LIMIT;
}

/* The laws whose percussions grow without bound along the final ray of the pivoting; if there are none, those whose
 * slip does. */
static void involve_ray(lcp *l) {
  double largest = 0;
  bool found = false;
  for (int k = 0; k < l->size; k++) largest = fmax(largest, fabs(picus_pivoting_ray(&l->pivoting, k)));
  for (int slips = 0; slips < 2 && !found; slips++)
    for (int k = 0; k < l->size; k++) {
      if (is_percussion(l->kind[k]) == (slips == 1) || !(picus_pivoting_ray(&l->pivoting, k) > 1e-9 * largest))
        continue;
      l->involved[l->law[k]] = 1;
      found = true;
    }
}

/* Largest violation of y = A x + b, 0 <= y _|_ x >= 0 by the x that was found. */
static double violation(const lcp *l) {
  double worst = 0;
  for (int i = 0; i < l->size; i++) {
    double x = picus_pivoting_value(&l->pivoting, i), y = l->b[i];
    for (int j = 0; j < l->size; j++)
      y += l->A[(size_t)i * (size_t)l->size + (size_t)j] * picus_pivoting_value(&l->pivoting, j);
    worst = fmax(worst, fmax(fmax(-x, -y), fmin(fabs(x), fabs(y))));
  }
  return worst;
}

/* Bilateral rows are eliminated, the laws become pairs, and Lemke's pivoting solves for them; a ray shows which laws
 * exclude a solution. */
static picus_status lemke_solve(const picus_solver_options *options, const picus_contact_problem *problem,
                                picus_solver_memory memory, double *P, picus_mode *modes, int *iterations) {
  lcp l = {.problem = problem, .facets = options->facets, .ends = {1, -1}};
  (void)modes;
  carve(&l, memory);
  scale(&l);
  for (int k = 0; k < problem->size; k++) P[k] = 0;
  picus_status status = eliminate_bilateral(&l);
  if (status) return status;
  /* the standard problem y = A x + b in pairs */
  int law;
  const bool is_spatial = picus_refuse_spatial_friction(problem, &law) != NULL;
  for (int directions = 2; is_spatial && directions <= 3; directions++) {
    const int count = corners_of(l.facets, directions);
    for (int k = 0; k < count; k++) corner_of(directions, count, k, l.corners[directions] + (ptrdiff_t)directions * k);
  }
  list_pairs(&l);
  for (int k = 0; k < l.size; k++) fill_row(&l, k);
  l.pivoting.size = l.size;
  l.pivoting.A = l.A;
  l.pivoting.b = l.b;
  picus_pivoting_start(&l.pivoting);
  status = picus_pivoting_run(&l.pivoting, options->max_iterations, iterations);
  if (status == PICUS_NO_SOLUTION) involve_ray(&l);
  if (!status && !(violation(&l) <= PAIRS_HOLD)) status = PICUS_NOT_CONVERGED;
  /* back to percussions, even after a failure: another solver may start from them */
  memset(l.p, 0, (size_t)problem->size * sizeof *l.p);
  read_pairs(&l);
  read_bilateral(&l);
  for (int k = 0; k < problem->size; k++) P[k] = l.d[k] * l.s * l.p[k];
  return status;
}

#define DESCRIPTION                                                                                                    \
  {                                                                                                                    \
    "lemke", "Lemke's pivoting for one linear complementarity problem; spatial friction approximated by pyramids",     \
        "Glocker, Studer 2005, section 6, eq. (33); Murty 1988, chapter 2; Stewart, Trinkle 1996 (pyramids)"           \
  }

/* As a stage of other solvers: exact, and in memory for planar friction. */
const picus_solver_ops picus_planar_lemke_solver = {
    .description = DESCRIPTION,
    .refusal = picus_refuse_spatial_friction,
    .need = planar_need,
    .needs_whole_G = true,
    .solve = lemke_solve,
};

const picus_solver_ops picus_lemke_solver = {
    .description = DESCRIPTION,
    .need_by_options = pyramid_need,
    .needs_whole_G = true,
    .uses_pyramids = true,
    .solve = lemke_solve,
};
