/* The summary at the end of a run. */
#include "cli.h"
#include "platform/threads.h"

#include <math.h>
#include <stdlib.h>

/* Laws that come and go are beyond those of the system; the summary has no names for them. */
static const char *law_name(const picus_system *system, int law) {
  return law < picus_system_law_count(system) ? picus_system_law_at(system, law).name : "a detected contact";
}

static const char *how_it_ended(picus_status status) {
  if (!status) return "done";
  return status == PICUS_INTERRUPTED ? "interrupted" : "failed";
}

/* Constraints at rest dissipate nothing but by the error of the scheme. */
static bool may_dissipate(const picus_system_law *law) { return law->kind != PICUS_BILATERAL || law->moves; }

/* The states of the system's own laws, or NULL if there are none or memory runs out. */
static picus_law_state *own_laws(const picus_system *system, picus_sim *sim) {
  const int count = picus_system_law_count(system);
  picus_law_state *states = count > 0 ? calloc((size_t)count, sizeof *states) : NULL;
  if (!states || !picus_sim_laws(sim, states)) return states;
  free(states);
  return NULL;
}

static const char between_shapes[] = "contacts between shapes";

/* By law; contacts that come and go in one sum, what is left of the total. */
static void print_contacts(FILE *file, const picus_system *system, picus_sim *sim, const picus_summary *s) {
  enum { MOST = 20 };
  const int count = picus_system_law_count(system);
  const bool appear = picus_system_laws_appear(system);
  int listed = appear, printed = 0;
  double rest = s->energy.dissipated + s->energy.spurious;
  for (int i = 0; i < count; i++) {
    const picus_system_law law = picus_system_law_at(system, i);
    listed += may_dissipate(&law);
  }
  picus_law_state *states = own_laws(system, sim);
  for (int i = 0; states && listed > 1 && listed <= MOST && i < count; i++) {
    const picus_system_law law = picus_system_law_at(system, i);
    rest -= states[i].dissipated;
    if (may_dissipate(&law))
      cli_fprint(file, "%s%s %.6g", printed++ ? ", " : "    of which      ", law.name, states[i].dissipated);
  }
  if (printed > 0 && appear) cli_fprint(file, ", %s %.6g", between_shapes, rest);
  if (printed > 0) cli_fprint(file, "\n");
  free(states);
}

/* Names the contact with most chatter; contacts that come and go in one sum. */
static void print_chatter(FILE *file, const picus_system *system, picus_sim *sim, long chatter) {
  const int count = picus_system_law_count(system);
  const bool appear = picus_system_laws_appear(system);
  picus_law_state *states = own_laws(system, sim);
  int worst = 0;
  long rest = chatter;
  for (int i = 0; states && i < count; i++) {
    if (states[i].chatter > states[worst].chatter) worst = i;
    rest -= states[i].chatter;
  }
  cli_fprint(file, "  chatter         %ld closing%s within four steps after opening", chatter, chatter == 1 ? "" : "s");
  if (states && appear && rest >= states[worst].chatter)
    cli_fprint(file, ", %ld of them at %s", rest, between_shapes);
  else if (states && (count > 1 || appear))
    cli_fprint(file, ", %ld of them at '%s'", states[worst].chatter, picus_system_law_at(system, worst).name);
  cli_fprint(file, "\n");
  free(states);
}

static double mean(long sum, long count) { return count ? (double)sum / (double)count : 0; }

/* Iterations per step, as in Table 3 of Acary (2012). */
static void print_newton(FILE *file, const picus_summary *s) {
  if (s->implicit.newton_iterations)
    cli_fprint(file, "  newton          %.4g iterations on average, %ld at most\n",
               mean(s->implicit.newton_iterations, s->steps), s->implicit.newton_iterations_max);
  if (s->implicit.projection_iterations)
    cli_fprint(file, "  projection      %.4g iterations on average, %ld at most; largest correction |tau| = %.3g\n",
               mean(s->implicit.projection_iterations, s->steps), s->implicit.projection_iterations_max,
               s->implicit.worst_projection);
  if (s->implicit.set_iterations)
    cli_fprint(file, "  active sets     %.4g tried on average, %ld at most\n",
               mean(s->implicit.set_iterations, s->steps), s->implicit.set_iterations_max);
  if (s->implicit.prox_first)
    cli_fprint(file, "  prox            %.4g and %.4g iterations on average, %ld and %ld at most, %ld failed\n",
               mean(s->implicit.prox_first, s->steps), mean(s->implicit.prox_second, s->steps),
               s->implicit.prox_first_max, s->implicit.prox_second_max, s->implicit.prox_failed);
}

/* Steps repeated because other features of shapes came closer, or other shapes, and what overlaps nevertheless. */
static void print_repeated(FILE *file, const picus_summary *s) {
  if (s->shapes.repeated)
    cli_fprint(file, "  repeated        %ld steps with contacts found at their end, at most %ld times\n",
               s->shapes.repeated, s->shapes.repetitions_max);
  if (s->shapes.overlaps.steps)
    cli_fprint(
        file,
        "  warning         overlap of at most %.3g m at the end of %ld steps, at '%s', t = %.6g s; use a smaller dt\n",
        s->shapes.overlaps.depth, s->shapes.overlaps.steps, s->shapes.overlaps.name, s->shapes.overlaps.t);
}

/* Steps that miss their tolerance: why, and what helps. */
static void print_missed(FILE *file, bool accepts_all, const picus_summary *s) {
  const char *reason = "limited by dt_min", *remedy = "; use a smaller --dt-min, or larger tolerances";
  if (s->adaptive.missed == 0) return;
  if (s->adaptive.rounded > 0) {
    reason = s->adaptive.rounded == s->adaptive.missed ? "limited by round-off" : "limited by round-off or dt_min";
    remedy = "; use larger tolerances";
  }
  if (accepts_all) {
    reason = "accepted all the same";
    remedy = "";
  }
  cli_fprint(file, "  missed          tolerance exceeded in %ld steps %s, at most %.3g times, t = %.6g s%s\n",
             s->adaptive.missed, reason, s->adaptive.worst_miss, s->adaptive.worst_miss_t, remedy);
}

static void print_adaptive(FILE *file, const picus_sim_options *o, const picus_summary *s) {
  if (s->steps == 0) return;
  cli_fprint(file, "  step sizes      %.3g to %.3g s, order %ld at most%s\n", s->adaptive.dt_least,
             s->adaptive.dt_largest, s->adaptive.order_largest, o->order ? " (fixed)" : "");
  cli_fprint(file, "  work            %ld base steps; %ld steps rejected\n", s->adaptive.base_steps,
             s->adaptive.rejected);
  cli_fprint(file, "  switching       %ld points\n", s->adaptive.switching_points);
  print_missed(file, o->accept_inaccurate, s);
}

static void print_paradox(FILE *file, const picus_system *system, const char *kind, const picus_paradox_count *count) {
  static const char *const branches[] = {[PICUS_BRANCH_OPENED] = "it opened",
                                         [PICUS_BRANCH_SLID] = "it continued to slide",
                                         [PICUS_BRANCH_IMPACT] = "it stopped by an impact without collision"};
  if (count->steps == 0) return;
  cli_fprint(file, "  %s %ld steps (Painleve), first at t = %.6g s at '%s': %s\n", kind, count->steps, count->t,
             law_name(system, count->law), branches[count->branch]);
}

/* Warnings about the contacts of a run. */
static void print_warnings(FILE *file, const picus_system *system, const picus_summary *s) {
  const picus_passage_count *passed = &s->gaps.passed;
  const picus_depth_count *deep = &s->gaps.unexplained;
  if (passed->count && passed->travel > 0)
    cli_fprint(file,
               "  warning         contact '%s' was passed through at t = %.6g s: it moved %.3g m in one step and was "
               "never open by more than %.3g m; use a smaller dt\n",
               law_name(system, passed->law), passed->t, passed->travel, passed->gap);
  else if (passed->count)
    cli_fprint(file,
               "  warning         contact '%s' was passed through at t = %.6g s: its gap was %.3g m between two steps; "
               "use a smaller dt\n",
               law_name(system, passed->law), passed->t, -passed->gap);
  if (passed->count > 1) cli_fprint(file, "                  and %ld more passages\n", passed->count - 1);
  if (deep->steps)
    cli_fprint(file,
               "  warning         penetration %.3g m at '%s', t = %.6g s, in %ld steps larger than the scheme "
               "explains, %.3g m; use a smaller dt, or a scheme at position level\n",
               deep->depth, deep->name, deep->t, deep->steps, deep->explained);
}

void cli_print_stability(const picus_model *model, const picus_system *system, picus_sim *sim) {
  enum { NEAR = 5 }; /* a limit that is farther away concerns nobody */
  const picus_sim_options *o = picus_sim_options_of(sim);
  const double dt = o->adaptive ? o->dt_min : o->dt;
  picus_stability limit;
  if (picus_sim_stability(sim, &limit) || !isfinite(limit.dt_limit)) return; /* not known: the run is watched anyway */
  const char *velocity = picus_system_u_name(system, limit.velocity);
  if (dt > limit.dt_limit)
    cli_fprint(stderr,
               "warning: dt = %g s exceeds the stability limit of the scheme %s, about %.3g s at the initial state "
               "('%s': %.3g rad/s, damping %.3g 1/s); use a smaller step, or an implicit scheme such as moreau-jean\n",
               dt, o->scheme, limit.dt_limit, velocity, limit.omega, limit.damping);
  else if (!o->adaptive && NEAR * dt > limit.dt_limit)
    cli_print("%s: stability limit about dt = %.3g s, scheme %s, '%s': %.3g rad/s, damping %.3g 1/s\n",
              picus_model_name(model), limit.dt_limit, o->scheme, velocity, limit.omega, limit.damping);
}

/* In how many steps, how far, and at which contacts. A residual close to the tolerance is no matter: the line before
 * has it. */
static void print_accepted(FILE *file, const picus_summary *s, const picus_solver_options *o) {
  enum { CLOSE = 10 }; /* times the tolerance */
  const picus_accepted_residual *worst = &s->solver.worst_accepted;
  if (worst->relative <= CLOSE * o->tolerance) return;
  cli_fprint(file, "  warning         %ld step%s accepted with a residual above the tolerance %g", s->solver.accepted,
             s->solver.accepted == 1 ? "" : "s", o->tolerance);
  if (o->heap_tolerance > o->tolerance) cli_fprint(file, " (%g with 1000 laws or more)", o->heap_tolerance);
  cli_fprint(file, "\n                  at most %.3g, at t = %.6g s, where %ld law%s above: ", worst->relative,
             worst->t, worst->laws, worst->laws == 1 ? " is" : "s are");
  for (int k = 0; k < PICUS_WORST_LAWS && worst->name[k][0]; k++)
    cli_fprint(file, "%s'%s' %.3g", k ? ", " : "", worst->name[k], worst->of_law[k]);
  cli_fprint(file, "%s\n                  percussions of these steps are accurate to this only; use a smaller dt%s\n",
             worst->laws > PICUS_WORST_LAWS ? ", ..." : "",
             o->heap_tolerance > o->tolerance ? ", or --accept-residual 1e-8, which tries more solvers" : "");
}

/* Steps, and the work of the contact solver and of Newton's method. cpu: CPU time of this process (s). */
static void print_work(FILE *file, const picus_sim_options *o, const picus_summary *s, double cpu) {
  cli_fprint(file, "  steps           %ld in %.3g s", s->steps, s->seconds);
  if (s->steps > 0) cli_fprint(file, " (%.3g us each)", 1e6 * s->seconds / (double)s->steps);
  cli_fprint(file, ", %.3g s of CPU time\n", cpu);
  if (o->adaptive) print_adaptive(file, o, s);
  if (s->switched)
    cli_fprint(file,
               "  switches        in at least %ld steps a force or surface switches, first at t = %.6g s: the error is "
               "of order 1 "
               "where it jumps, of order 2 at a kink; use --adaptive for the accuracy of smooth motion\n",
               s->switched, s->switched_t);
  if (s->shortened) cli_fprint(file, "  subdivided      %ld steps, not solved at full step size\n", s->shortened);
  if (s->contact_steps) {
    cli_fprint(file, "  contact steps   %ld, solver iterations %.3g on average, %ld at most\n", s->contact_steps,
               (double)s->solver.iterations / (double)s->contact_steps, s->solver.iterations_max);
    cli_fprint(file, "  solver          %ld fallbacks, worst residual %.2g at t = %.6g s\n", s->solver.fallbacks,
               s->solver.worst_residual, s->solver.worst_residual_t);
    if (s->solver.accepted) print_accepted(file, s, &o->solver);
  }
  print_newton(file, s);
  print_repeated(file, s);
}

/* What happened at contacts: impacts, their energy, chatter, paradoxes, and events of the model. */
static void print_contact_events(FILE *file, const picus_system *system, picus_sim *sim, const picus_summary *s) {
  cli_fprint(file, "  impacts         %ld\n", s->impacts);
  if (s->impact_energy.gains > 0)
    cli_fprint(
        file,
        "  warning         %ld impacts gained %.3g J by Newton's law, first at t = %.6g s: friction or different "
        "eN make it inconsistent there; use impact = \"poisson\" or \"sequential\"\n",
        s->impact_energy.gains, s->impact_energy.gained, s->impact_energy.gained_t);
  if (s->impact_energy.limited > 0)
    cli_fprint(file, "  limited         %ld impacts, whose law would have gained energy\n", s->impact_energy.limited);
  if (s->model_events > 0) cli_fprint(file, "  happened        %ld events of the model\n", s->model_events);
  if (*s->stopped_by) cli_fprint(file, "  stopped         by event '%s'\n", s->stopped_by);
  if (s->chatter) print_chatter(file, system, sim, s->chatter);
  print_paradox(file, system, "indeterminate  ", &s->indeterminate);
  print_paradox(file, system, "inconsistent   ", &s->inconsistent);
  if (s->locked.steps > 0)
    cli_fprint(
        file,
        "  locked          %ld steps, first at t = %.6g s: '%s' locks itself, its friction grows faster than the "
        "force that pushes it\n",
        s->locked.steps, s->locked.t, law_name(system, s->locked.law));
  if (s->steep.steps > 0)
    cli_fprint(
        file,
        "  warning         %ld steps with several solutions, first at t = %.6g s: friction of '%s' falls with the "
        "slip speed faster than inertia allows at this dt; use a smaller dt\n",
        s->steep.steps, s->steep.t, law_name(system, s->steep.law));
  if (s->gaps.penetration_law >= 0)
    cli_fprint(file, "  penetration     %.3g m at most, at '%s', t = %.6g s\n", s->gaps.penetration,
               s->gaps.penetration_name, s->gaps.penetration_t);
  if (s->gaps.constraint_law >= 0)
    cli_fprint(file, "  constraints     violated by %.3g at most, by '%s', t = %.6g s\n", s->gaps.constraint,
               law_name(system, s->gaps.constraint_law), s->gaps.constraint_t);
}

double cli_energy_error(const picus_summary *s) {
  return s->energy.end - s->energy.start + s->energy.dissipated - s->energy.driven - s->energy.work;
}

/* By name, if there are several. */
static void print_driven(FILE *file, const picus_system *system, picus_sim *sim, const picus_summary *s) {
  const int count = picus_system_law_count(system);
  int moving = 0, printed = 0;
  for (int i = 0; i < count; i++) moving += picus_system_law_at(system, i).moves;
  if (moving == 0 && s->energy.driven == 0) return;
  cli_fprint(file, "  driven          %.9g J by moving surfaces and motors\n", s->energy.driven);
  picus_law_state *states = calloc((size_t)count + 1, sizeof *states);
  if (states && moving > 1 && moving <= 20 && !picus_sim_laws(sim, states)) {
    for (int i = 0; i < count; i++) {
      const picus_system_law law = picus_system_law_at(system, i);
      if (law.moves) cli_fprint(file, "%s%s %.6g", printed++ ? ", " : "    of which      ", law.name, states[i].driven);
    }
    cli_fprint(file, "\n");
  }
  free(states);
}

static void print_works(FILE *file, const picus_system *system, const picus_sim *sim, const picus_summary *s) {
  const int count = picus_system_work_count(system);
  if (count == 0) return;
  cli_fprint(file, "  applied         %.9g J by ", s->energy.work);
  if (count == 1) cli_fprint(file, "%s\n", picus_system_work_name(system, 0));
  if (count == 1) return;
  cli_fprint(file, "forces, damping and motions\n    of which      ");
  for (int i = 0; i < count; i++)
    cli_fprint(file, "%s%s %.6g", i ? ", " : "", picus_system_work_name(system, i), picus_sim_work(sim, i));
  cli_fprint(file, "\n");
}

static void print_energy(FILE *file, const picus_system *system, picus_sim *sim, const picus_summary *s) {
  cli_fprint(file, "  energy          %.9g J at the start, %.9g J at the end\n", s->energy.start, s->energy.end);
  cli_fprint(file, "  dissipated      %.9g J by contacts, friction and constraints", s->energy.dissipated);
  if (s->energy.dissipated_by_impulses != 0)
    cli_fprint(file, ", %.6g J of it by impulses", s->energy.dissipated_by_impulses);
  cli_fprint(file, "\n");
  print_contacts(file, system, sim, s);
  print_driven(file, system, sim, s);
  print_works(file, system, sim, s);
  cli_fprint(file, "  balance         %.3g J, the error of the scheme", cli_energy_error(s));
  if (s->energy.spurious != 0) cli_fprint(file, ", %.3g J of it at constraints", -s->energy.spurious);
  cli_fprint(file, "\n");
}

static int by_energy(const void *a, const void *b) {
  const double x = fabs(((const picus_pair_total *)a)->dissipated), y = fabs(((const picus_pair_total *)b)->dissipated);
  return (x < y) - (x > y);
}

/* Energy and normal percussions by pair, the largest energies first. */
static void print_pairs(FILE *file, const picus_recorder *recorder) {
  enum { MOST = 20 };
  const int count = picus_recorder_pair_count(recorder);
  picus_pair_total *pairs = count > 0 ? calloc((size_t)count, sizeof *pairs) : NULL;
  picus_pair_total others = {.name = ""};
  if (!pairs) return;
  for (int k = 0; k < count; k++) pairs[k] = picus_recorder_pair(recorder, k);
  qsort(pairs, (size_t)count, sizeof *pairs, by_energy);
  for (int k = 0; k < count; k++) {
    const char *before = k == 0 ? "  by pair         " : k % 3 ? "; " : ";\n                  ";
    if (k < MOST) cli_fprint(file, "%s%s %.6g J, %.6g N s", before, pairs[k].name, pairs[k].dissipated, pairs[k].PN);
    if (k < MOST) continue;
    others.dissipated += pairs[k].dissipated;
    others.PN += pairs[k].PN;
  }
  if (count > MOST) cli_fprint(file, "; %d others %.6g J, %.6g N s", count - MOST, others.dissipated, others.PN);
  cli_fprint(file, "\n");
  free(pairs);
}

static void print_native(FILE *file, const picus_system *system) {
  const picus_native_report native = picus_system_native(system);
  if (native.objects > 0)
    cli_fprint(file, "  native code     %ld operations in %d objects, %d compiled now\n", native.operations,
               native.objects, native.compiled);
  if (native.interpreted > 0)
    cli_fprint(file, "  interpreted     %ld operations: %s\n", native.interpreted, native.note);
}

double cli_cpu_seconds(void) { return picus_clock_process(); }

void cli_print_summary(FILE *file, const picus_model *model, picus_sim *sim, const picus_recorder *recorder,
                       const picus_summary *s, double cpu) {
  const picus_system *system = picus_sim_system(sim);
  const picus_sim_options *o = picus_sim_options_of(sim);
  cli_fprint(file, "%s: %s at t = %.9g s, scheme %s, ", picus_model_name(model), how_it_ended(s->status), s->t_end,
             o->scheme);
  if (o->adaptive)
    cli_fprint(file, "adaptive, dt = %g ... %g s, solver %s\n", o->dt_min, o->dt_max, o->solver.solver);
  else
    cli_fprint(file, "dt = %g s, solver %s\n", o->t_end > o->t_start ? fmin(o->dt, o->t_end - o->t_start) : o->dt,
               o->solver.solver);
  print_work(file, o, s, cpu);
  print_native(file, system);
  print_contact_events(file, system, sim, s);
  print_warnings(file, system, s);
  print_energy(file, system, sim, s);
  if (recorder) print_pairs(file, recorder);
}
