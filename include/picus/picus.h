/* Picus: nonsmooth dynamics in C. Includes everything. */
#ifndef PICUS_PICUS_H
#define PICUS_PICUS_H

#include <picus/base.h>
#include <picus/bodies.h>
#include <picus/column.h>
#include <picus/contact.h>
#include <picus/drawing.h>
#include <picus/expr.h>
#include <picus/flexible.h>
#include <picus/geometry.h>
#include <picus/mesh.h>
#include <picus/model.h>
#include <picus/modes.h>
#include <picus/options.h>
#include <picus/problem.h>
#include <picus/record.h>
#include <picus/recorder.h>
#include <picus/reference.h>
#include <picus/result.h>
#include <picus/scheme.h>
#include <picus/shapes.h>
#include <picus/sim.h>
#include <picus/step.h>
#include <picus/system.h>
#include <picus/version.h>

#endif
