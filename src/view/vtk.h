/* A scene for ParaView: files of VTK, one for the shapes and one for the contacts of each row, and a list of them. */
#ifndef PICUS_VIEW_VTK_H
#define PICUS_VIEW_VTK_H

#include "view/json.h"
#include "view/scene.h"

/* The file (.vtp) of the shapes or of the contacts at a row. */
picus_status picus_vtk_shapes(picus_scene *scene, long row, picus_json *file);
picus_status picus_vtk_contacts(picus_scene *scene, long row, picus_json *file);

#endif
