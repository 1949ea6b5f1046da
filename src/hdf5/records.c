/* Datasets whose elements have named fields: their types, and their values packed without gaps. */
#include "hdf5/records.h"
#include "base/internal.h"
#include "hdf5/support.h"

#include <string.h>

/* The space of a field in an element. */
static size_t room_of(const picus_hdf5_field *field, size_t count) {
  if (field->numbers) return sizeof *field->numbers;
  if (field->integers) return sizeof(int64_t);
  if (field->room > 0) return field->room;
  size_t room = 1;
  for (size_t k = 0; k < count; k++) {
    const size_t length = strlen(field->texts[k]);
    if (length > room) room = length;
  }
  return room;
}

static bool insert(hid_t type, const picus_hdf5_field *field, size_t offset, size_t room) {
  if (!field->texts) return H5Tinsert(type, field->name, offset, field->numbers ? H5T_IEEE_F64LE : H5T_STD_I64LE) >= 0;
  hid_t text = picus_hdf5_text_type(room);
  const bool done = text >= 0 && H5Tinsert(type, field->name, offset, text) >= 0;
  if (text >= 0) H5Tclose(text);
  return done;
}

static size_t element_size(size_t count, picus_hdf5_fields fields) {
  size_t size = 0;
  for (size_t k = 0; k < fields.count; k++) size += room_of(&fields.list[k], count);
  return size;
}

/* The type of elements with these fields, one after the other. */
static hid_t make_type(size_t count, picus_hdf5_fields fields) {
  size_t offset = 0;
  hid_t type = H5Tcreate(H5T_COMPOUND, element_size(count, fields));
  for (size_t k = 0; type >= 0 && k < fields.count; k++) {
    const size_t room = room_of(&fields.list[k], count);
    const bool done = insert(type, &fields.list[k], offset, room);
    offset += room;
    if (done) continue;
    H5Tclose(type);
    type = -1;
  }
  return type;
}

/* In the order of bytes of the file, which is little-endian. */
static void put_bytes(char *to, uint64_t value) {
  for (int k = 0; k < 8; k++) to[k] = (char)(value >> 8 * k & 0xFF);
}

static void put_value(const picus_hdf5_field *field, size_t element, size_t room, char *to) {
  uint64_t bits = 0;
  if (field->texts) {
    picus_hdf5_pad_text(to, room, field->texts[element]);
    return;
  }
  if (field->numbers)
    memcpy(&bits, &field->numbers[element], sizeof bits);
  else
    bits = (uint64_t)(int64_t)field->integers[element];
  put_bytes(to, bits);
}

/* The values of all elements; NULL: out of memory. */
static char *pack(picus_context *context, size_t count, picus_hdf5_fields fields) {
  const size_t size = element_size(count, fields);
  char *bytes = picus_allocate(context, count, size);
  for (size_t k = 0, offset = 0; bytes && k < fields.count; k++) {
    const size_t room = room_of(&fields.list[k], count);
    for (size_t i = 0; i < count; i++) put_value(&fields.list[k], i, room, bytes + i * size + offset);
    offset += room;
  }
  return bytes;
}

static bool put_elements(picus_context *context, hid_t parent, const char *name, hid_t space, size_t count,
                         picus_hdf5_fields fields) {
  hid_t type = make_type(count, fields);
  char *bytes = type >= 0 ? pack(context, count, fields) : NULL;
  const bool done = bytes && space >= 0 && picus_hdf5_put_dataset(parent, name, type, space, type, bytes);
  picus_release(context, bytes);
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  return done;
}

bool picus_hdf5_put_table(picus_context *context, hid_t parent, const char *name, size_t count,
                          picus_hdf5_fields fields) {
  const hsize_t extent = count;
  return put_elements(context, parent, name, H5Screate_simple(1, &extent, NULL), count, fields);
}

bool picus_hdf5_put_record(picus_context *context, hid_t parent, const char *name, picus_hdf5_fields fields) {
  return put_elements(context, parent, name, H5Screate(H5S_SCALAR), 1, fields);
}

bool picus_hdf5_replace_record(picus_context *context, hid_t parent, const char *name, picus_hdf5_fields fields) {
  char *bytes = pack(context, 1, fields);
  const bool done = bytes && picus_hdf5_replace(parent, name, element_size(1, fields), bytes);
  picus_release(context, bytes);
  return done;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

bool picus_hdf5_is_plain_number(hid_t type) {
  H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_FLOAT)
    return H5Tequal(type, H5T_IEEE_F64LE) > 0 || H5Tequal(type, H5T_IEEE_F64BE) > 0 ||
           H5Tequal(type, H5T_IEEE_F32LE) > 0 || H5Tequal(type, H5T_IEEE_F32BE) > 0;
  if (kind != H5T_INTEGER) return false;
  size_t size = H5Tget_size(type);
  H5T_order_t order = H5Tget_order(type);
  return (size == 1 || size == 2 || size == 4 || size == 8) && H5Tget_precision(type) == 8 * size &&
         H5Tget_offset(type) == 0 && (order == H5T_ORDER_LE || order == H5T_ORDER_BE);
}

static bool is_plain_text(hid_t type) { return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0; }

/* Field k, if it lies in the element and has no pointers. */
static bool field_at(hid_t type, unsigned k, picus_hdf5_place *out) {
  const hid_t member = H5Tget_member_type(type, k);
  if (member < 0) return false;
  *out = (picus_hdf5_place){member, H5Tget_member_offset(type, k), H5Tget_size(member), H5Tget_size(type),
                            is_plain_text(member)};
  const bool fits = out->size > 0 && out->size <= out->stride && out->offset <= out->stride - out->size;
  if (fits && (out->is_text || picus_hdf5_is_plain_number(member))) return true;
  H5Tclose(member);
  return false;
}

bool picus_hdf5_has_fields(hid_t type) {
  if (H5Tget_class(type) != H5T_COMPOUND) return false;
  const int count = H5Tget_nmembers(type);
  for (int k = 0; k < count; k++) {
    picus_hdf5_place place;
    if (!field_at(type, (unsigned)k, &place)) return false;
    H5Tclose(place.type);
  }
  return count > 0;
}

bool picus_hdf5_find_field(hid_t type, const char *name, picus_hdf5_place *out) {
  const int k = H5Tget_member_index(type, name);
  return k >= 0 && field_at(type, (unsigned)k, out);
}
