/* A result for ParaView: files of VTK for the shapes, the contacts and the flexible components of each row. */
#ifndef PICUS_VIEW_VTK_H
#define PICUS_VIEW_VTK_H

#include "view/json.h"
#include "view/scene.h"

/* The file (.vtp) of the shapes or of the contacts at a row. */
picus_status picus_vtk_shapes(picus_scene *scene, long row, picus_json *file);
picus_status picus_vtk_contacts(picus_scene *scene, long row, picus_json *file);
/* The file (.vtu) of a table of nodes, whose positions must be known. */
picus_status picus_vtk_nodes(picus_context *context, picus_result *result, int table, long row, picus_json *file);

#endif
