/* Model files that must be refused, with what must be said about each: used through the C API and the command line. */
#ifndef PICUS_TEST_WRONG_MODELS_H
#define PICUS_TEST_WRONG_MODELS_H

typedef enum wrong_stage {
  WRONG_LOAD,  /* picus_model_load_text refuses the file */
  WRONG_SYSTEM /* the file loads; picus_system_create refuses the model */
} wrong_stage;

typedef struct wrong_model {
  const char *name;
  const char *text;
  wrong_stage stage;
  const char *status;   /* "PICUS_ERROR_NAME" */
  int line;             /* 0: the mistake has no line */
  const char *fragment; /* of the sentence */
} wrong_model;

extern const wrong_model wrong_models[];
extern const int wrong_model_count;

#endif
