/* Picus: nonsmooth dynamics in C. Includes everything. To be read in this order: base, expr, model, bodies, flexible,
 * contact, system, sim, result, reference, rollout, study, study_file, orbit. */
#ifndef PICUS_PICUS_H
#define PICUS_PICUS_H

#include <picus/base.h>
#include <picus/bodies.h>
#include <picus/contact.h>
#include <picus/expr.h>
#include <picus/flexible.h>
#include <picus/model.h>
#include <picus/orbit.h>
#include <picus/reference.h>
#include <picus/result.h>
#include <picus/rollout.h>
#include <picus/sim.h>
#include <picus/study.h>
#include <picus/study_file.h>
#include <picus/system.h>
#include <picus/version.h>

#endif
