#include <cmath>
#include <cstring>

#include "binding.h"

namespace monero {

Arguments::Arguments(napi_env env, napi_callback_info info) : env_(env) {
  napi_get_cb_info(env, info, &count_, values_, nullptr, nullptr);
  // Missing arguments are filled with undefined.
}

bool Arguments::bytes(size_t index, std::string* out) const {
  bool typed = false;
  if (napi_is_typedarray(env_, values_[index], &typed) != napi_ok || !typed) return false;
  napi_typedarray_type type;
  size_t length;
  void* data;
  if (napi_get_typedarray_info(env_, values_[index], &type, &length, &data, nullptr, nullptr) !=
          napi_ok ||
      type != napi_uint8_array) {
    return false;
  }
  // An empty array may have no address.
  if (length == 0) {
    out->clear();
  } else {
    out->assign(static_cast<const char*>(data), length);
  }
  return true;
}

bool Arguments::text(size_t index, std::string* out) const {
  char buffer[64];
  size_t length;
  if (napi_get_value_string_utf8(env_, values_[index], buffer, sizeof(buffer), &length) !=
      napi_ok) {
    return false;
  }
  out->assign(buffer, length);
  return true;
}

bool Arguments::number(size_t index, uint32_t* out) const {
  double value;
  if (napi_get_value_double(env_, values_[index], &value) != napi_ok) return false;
  if (!(value >= 0 && value <= 4294967295.0) || value != std::floor(value)) return false;
  *out = static_cast<uint32_t>(value);
  return true;
}

bool Arguments::boolean(size_t index, bool* out) const {
  return napi_get_value_bool(env_, values_[index], out) == napi_ok;
}

bool Arguments::difficulty(size_t index, uint64_t* out) const {
  int sign = 0;
  size_t words = 3;
  uint64_t value[3] = {0, 0, 0};
  if (napi_get_value_bigint_words(env_, values_[index], &sign, &words, value) != napi_ok) {
    return false;
  }
  if (sign != 0 || words > 2) return false;
  out[0] = words > 0 ? value[0] : 0;
  out[1] = words > 1 ? value[1] : 0;
  return true;
}

Handle* Arguments::handle(size_t index) const {
  napi_valuetype type;
  void* data = nullptr;
  if (napi_typeof(env_, values_[index], &type) != napi_ok || type != napi_external) return nullptr;
  napi_get_value_external(env_, values_[index], &data);
  return static_cast<Handle*>(data);
}

bool Arguments::memory(size_t index, MemoryRef* out) const {
  const Handle* found = handle(index);
  if (found == nullptr || found->memory == nullptr) return false;
  *out = found->memory;
  return true;
}

bool Arguments::takeMemory(size_t index, MemoryRef* out) const {
  Handle* found = handle(index);
  if (found == nullptr || found->task != nullptr) return false;
  *out = std::move(found->memory);
  found->memory = nullptr;
  return true;
}

bool Arguments::task(size_t index, TaskRef* out) const {
  const Handle* found = handle(index);
  if (found == nullptr || found->task == nullptr) return false;
  *out = found->task;
  return true;
}

napi_value fail(napi_env env, const char* message) {
  napi_throw_type_error(env, nullptr, message);
  return nullptr;
}

napi_value makeHandle(napi_env env, Handle* handle) {
  const auto finalize = [](napi_env, void* data, void*) { delete static_cast<Handle*>(data); };
  napi_value value = nullptr;
  if (napi_create_external(env, handle, finalize, nullptr, &value) != napi_ok) delete handle;
  return value;
}

napi_value makeBytes(napi_env env, const std::vector<uint8_t>& bytes) {
  void* data = nullptr;
  napi_value buffer, value;
  napi_create_arraybuffer(env, bytes.size(), &data, &buffer);
  std::memcpy(data, bytes.data(), bytes.size());
  napi_create_typedarray(env, napi_uint8_array, bytes.size(), buffer, 0, &value);
  return value;
}

}  // namespace monero
