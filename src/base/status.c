#include <picus/base.h>

const char *picus_status_name(picus_status status) {
  switch (status) {
#define STATUS_NAME(name, value, text)                                                                                 \
  case name:                                                                                                           \
    return #name;
    PICUS_STATUS_LIST(STATUS_NAME)
#undef STATUS_NAME
  }
  return "PICUS_STATUS_UNKNOWN";
}

const char *picus_status_text(picus_status status) {
  switch (status) {
#define STATUS_TEXT(name, value, text)                                                                                 \
  case name:                                                                                                           \
    return text;
    PICUS_STATUS_LIST(STATUS_TEXT)
#undef STATUS_TEXT
  }
  return "unknown status";
}
