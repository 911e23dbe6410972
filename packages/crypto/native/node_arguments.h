// What the N-API functions of the addons share: they read arguments, and keep exceptions inside.
#pragma once

#include <node_api.h>

#include <cstdint>
#include <exception>

#include "bytes.h"

namespace monero {

namespace {

constexpr size_t MAX_ARGUMENTS = 6;

/** The arguments of a call; `ok` turns false at the first that is not what was asked for. */
struct NodeArguments {
  napi_env env;
  napi_value values[MAX_ARGUMENTS];
  bool ok;

  NodeArguments(napi_env e, napi_callback_info info) : env(e), ok(true) {
    size_t count = MAX_ARGUMENTS;
    // Missing arguments are filled with undefined.
    ok = napi_get_cb_info(env, info, &count, values, nullptr, nullptr) == napi_ok;
  }

  Bytes bytes(size_t index) { return typedArray(index, napi_uint8_array, 1); }

  /** Words of 32 bits; the size is in bytes all the same. */
  Bytes words(size_t index) { return typedArray(index, napi_uint32_array, 4); }

  Bytes typedArray(size_t index, napi_typedarray_type wanted, size_t elementSize) {
    bool typed = false;
    napi_typedarray_type type;
    void* data = nullptr;
    size_t size = 0;
    if (!ok || napi_is_typedarray(env, values[index], &typed) != napi_ok || !typed ||
        napi_get_typedarray_info(env, values[index], &type, &size, &data, nullptr, nullptr) !=
            napi_ok ||
        type != wanted) {
      ok = false;
      return {nullptr, 0};
    }
    return {static_cast<u8*>(data), data == nullptr ? 0 : elementSize * size};
  }

  /** An array of exactly 32 bytes to write to. */
  u8* output(size_t index) {
    const Bytes out = bytes(index);
    if (out.size != 32) ok = false;
    return out.data;
  }

  u64 amount(size_t index) {
    u64 value = 0;
    bool lossless = false;
    if (!ok || napi_get_value_bigint_uint64(env, values[index], &value, &lossless) != napi_ok ||
        !lossless) {
      ok = false;
    }
    return value;
  }

  /** A whole number of 32 bits. N-API's own conversion to one would cut and wrap others. */
  uint32_t number(size_t index) {
    double value = 0;
    if (!ok || napi_get_value_double(env, values[index], &value) != napi_ok ||
        !(value >= 0 && value <= UINT32_MAX) || value != static_cast<uint32_t>(value)) {
      ok = false;
      return 0;
    }
    return static_cast<uint32_t>(value);
  }
};

inline napi_value fail(napi_env env, const char* message) {
  napi_throw_type_error(env, nullptr, message);
  return nullptr;
}

inline napi_value boolean(napi_env env, bool value) {
  napi_value result = nullptr;
  napi_get_boolean(env, value, &result);
  return result;
}

/** Keeps C++ exceptions (only memory can run out) on this side of the boundary. */
template <napi_callback Function>
napi_value guarded(napi_env env, napi_callback_info info) {
  try {
    return Function(env, info);
  } catch (const std::exception& error) {
    napi_throw_error(env, nullptr, error.what());
    return nullptr;
  }
}

template <napi_callback Function>
void define(napi_env env, napi_value exports, const char* name) {
  napi_value function;
  if (napi_create_function(env, name, NAPI_AUTO_LENGTH, guarded<Function>, nullptr, &function) ==
      napi_ok) {
    napi_set_named_property(env, exports, name, function);
  }
}

}  // namespace
}  // namespace monero
