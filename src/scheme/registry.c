/* The schemes by name. A new scheme is one file and one line here. */
#include "options/table.h"
#include "scheme/internal.h"

#include <string.h>

static const scheme_ops *const schemes[] = {&picus_moreau_scheme,
                                            &picus_moreau_jean_scheme,
                                            &picus_moreau_projected_scheme,
                                            &picus_moreau_combined_scheme,
                                            &picus_schatzman_paoli_scheme,
                                            &picus_rattle_scheme,
                                            &picus_moreau_explicit_scheme,
                                            &picus_half_explicit_scheme,
                                            &picus_half_explicit_acc_scheme,
                                            &picus_half_explicit_rk_schemes[2],
                                            &picus_trapezoidal_position_scheme};
enum { SCHEME_COUNT = sizeof schemes / sizeof schemes[0] };

const scheme_ops *picus_scheme_find(const char *name) {
  for (int i = 0; i < SCHEME_COUNT; i++)
    if (strcmp(schemes[i]->description.name, name) == 0) return schemes[i];
  return NULL;
}

const scheme_ops *picus_scheme_of(const picus_sim_options *options) {
  const scheme_ops *scheme = picus_scheme_find(options->scheme);
  if (scheme != &picus_half_explicit_rk_schemes[2]) return scheme;
  const int order = picus_tableau_order(picus_tableau_of(&options->half_explicit), NULL);
  return &picus_half_explicit_rk_schemes[order - 1];
}

const char *picus_forecast_name(int forecast) { return picus_option_word(PICUS_OPTION_forecast, forecast); }
const char *picus_metric_name(int metric) { return picus_option_word(PICUS_OPTION_metric, metric); }
const char *picus_restitution_name(int k) { return picus_option_word(PICUS_OPTION_restitution, k); }
const char *picus_impact_law_name(int k) {
  return picus_option_word(PICUS_OPTION_impact, k == PICUS_IMPACT_NEWTON ? PICUS_IMPACT_OF_RUN : k);
}
const char *picus_slip_direction_name(int k) { return picus_option_word(PICUS_OPTION_slip_direction, k); }

const picus_scheme_description *picus_scheme_at(int index) {
  return index >= 0 && index < SCHEME_COUNT ? &schemes[index]->description : NULL;
}
