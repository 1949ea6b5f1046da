/* Names of coordinates, velocities, laws and observables: their form, the table of used names, the nearest name. */
#include "base/name_index.h"
#include "model/internal.h"

#include <stdio.h>
#include <string.h>

/* Columns of every result, and the group of all other data. */
static const char *const reserved_names[] = {"t", "dt", "order", "E", "picus"};

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool well_formed(const char *name) {
  if (!is_letter(name[0])) return false;
  for (const char *c = name + 1; *c; c++)
    if (!is_letter(*c) && !is_digit(*c) && *c != '_' && *c != '-') return false;
  return true;
}

picus_status picus_model_check_form(picus_model *model, const char *what, const char *name) {
  if (!name || !*name) return picus_model_fail(model, PICUS_ERROR_NAME, "the name of a %s is empty", what);
  if (!well_formed(name))
    return picus_model_fail(
        model, PICUS_ERROR_NAME,
        "'%.60s' is not a valid name of a %s; a name starts with a letter and consists of letters, digits, _ and -",
        name, what);
  return PICUS_OK;
}

static const char *kind_text(picus_name_kind kind) {
  switch (kind) {
  case PICUS_NAME_COORDINATE:
    return "a coordinate";
  case PICUS_NAME_VELOCITY:
    return "a velocity";
  case PICUS_NAME_LAW:
    return "a contact, friction element or constraint";
  case PICUS_NAME_OBSERVABLE:
    return "an observed value";
  case PICUS_NAME_STRUCTURE:
    return "a flexible component";
  case PICUS_NAME_INPUT:
    return "an input";
  case PICUS_NAME_NONE:
    break;
  }
  return "nothing";
}

picus_status picus_model_check_name(picus_model *model, const char *what, const char *name) {
  picus_status status = picus_model_check_form(model, what, name);
  if (status) return status;
  for (size_t i = 0; i < sizeof reserved_names / sizeof *reserved_names; i++)
    if (strcmp(name, reserved_names[i]) == 0)
      return picus_model_fail(model, PICUS_ERROR_NAME,
                              "'%s' is reserved for results and cannot be the name of a %s; choose another name", name,
                              what);
  picus_name_entry taken = picus_model_find_name(model, name);
  if (taken.kind != PICUS_NAME_NONE)
    return picus_model_fail(model, PICUS_ERROR_NAME, "the name '%s' of a %s is already used by %s; choose another name",
                            name, what, kind_text(taken.kind));
  return PICUS_OK;
}

/* The slot of the name, or the free slot for it. The table is never full. */
static picus_name_entry *slot_of(picus_name_entry *names, size_t capacity, const char *name) {
  size_t i = (size_t)picus_hash_text(name) & (capacity - 1);
  while (names[i].name && strcmp(names[i].name, name) != 0) i = (i + 1) & (capacity - 1);
  return &names[i];
}

picus_status picus_model_reserve_names(picus_model *model, size_t more) {
  size_t capacity = model->name_capacity ? model->name_capacity : 32;
  while (capacity < 2 * (model->name_count + more)) capacity *= 2;
  if (capacity == model->name_capacity) return PICUS_OK;
  picus_name_entry *larger = picus_allocate(model->context, capacity, sizeof *larger);
  if (!larger) return PICUS_ERROR_MEMORY;
  for (size_t i = 0; i < model->name_capacity; i++)
    if (model->names[i].name) *slot_of(larger, capacity, model->names[i].name) = model->names[i];
  picus_release(model->context, model->names);
  model->names = larger;
  model->name_capacity = capacity;
  return PICUS_OK;
}

void picus_model_register_name(picus_model *model, const char *name, picus_name_kind kind, int index) {
  *slot_of(model->names, model->name_capacity, name) = (picus_name_entry){name, kind, index};
  model->name_count++;
}

picus_name_entry picus_model_find_name(const picus_model *model, const char *name) {
  if (!model->name_capacity) return (picus_name_entry){NULL, PICUS_NAME_NONE, -1};
  return *slot_of(model->names, model->name_capacity, name);
}

const char *picus_model_next_coordinate(const void *user, int k) {
  const picus_model *model = user;
  return k < model->coordinate_count ? model->coordinates[k].name : NULL;
}

const char *picus_model_next_velocity(const void *user, int k) {
  const picus_model *model = user;
  return k < model->velocity_count ? model->velocities[k].name : NULL;
}

const char *picus_model_next_symbol(const void *user, int k) {
  const picus_model *model = user;
  return k < model->coordinate_count ? model->coordinates[k].name
                                     : picus_model_next_velocity(model, k - model->coordinate_count);
}

const char *picus_model_next_parameter(const void *user, int k) {
  const picus_model *model = user;
  if (k < model->parameter_count) return model->parameters[k].name;
  k -= model->parameter_count;
  return k < model->input_count ? model->inputs[k].def.name : NULL;
}

/* The first candidates, as many as are useful in a message. */
static void list_names(char *text, size_t size, const char *(*next)(const void *user, int k), const void *user) {
  enum { SHOWN = 12 };
  size_t length = 0;
  text[0] = '\0';
  for (int k = 0; k <= SHOWN; k++) {
    const char *name = next(user, k);
    if (!name) return;
    int written =
        snprintf(text + length, size - length, "%s%s", k ? ", " : "", k < SHOWN ? name : "..."); /* '...': some more */
    if (written < 0 || (size_t)written >= size - length) return;
    length += (size_t)written;
  }
}

picus_status picus_model_fail_unknown(picus_model *model, picus_place place, const char *what, const char *name,
                                      const char *(*next)(const void *user, int k), const void *user) {
  const char *nearest = picus_nearest_name(name, next, user);
  char sentence[512];
  if (nearest) {
    snprintf(sentence, sizeof sentence, "; did you mean '%s'?", nearest);
  } else if (next(user, 0)) {
    char list[400];
    list_names(list, sizeof list, next, user);
    snprintf(sentence, sizeof sentence, "; defined: %s", list);
  } else {
    snprintf(sentence, sizeof sentence, "; none is defined");
  }
  return picus_fail_at(model->context, PICUS_ERROR_NAME, place.file, place.line, "there is no %s '%.60s'%s", what, name,
                       sentence);
}
