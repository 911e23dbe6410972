// Reads arguments and makes values for binding.cc.
#pragma once

#include <node_api.h>

#include <memory>
#include <string>
#include <vector>

#include "engine.h"

namespace monero {

using MemoryRef = std::shared_ptr<Memory>;
using TaskRef = std::shared_ptr<Task>;

/** The data of an external value: a cache or dataset until it is released, or a task. */
struct Handle {
  MemoryRef memory;
  TaskRef task;
};

/** The arguments of a call. Readers return false when an argument has the wrong type or range. */
class Arguments {
 public:
  Arguments(napi_env env, napi_callback_info info);
  bool bytes(size_t index, std::string* out) const;
  bool text(size_t index, std::string* out) const;
  bool number(size_t index, uint32_t* out) const;
  bool boolean(size_t index, bool* out) const;
  bool difficulty(size_t index, uint64_t* out) const;
  bool memory(size_t index, MemoryRef* out) const;
  /** Moves the memory out of the handle, which may already be empty. */
  bool takeMemory(size_t index, MemoryRef* out) const;
  bool task(size_t index, TaskRef* out) const;

 private:
  Handle* handle(size_t index) const;
  napi_env env_;
  size_t count_ = 11;
  napi_value values_[11];
};

/** Throws a TypeError and returns the value a callback must return then. */
napi_value fail(napi_env env, const char* message);
napi_value makeHandle(napi_env env, Handle* handle);
napi_value makeBytes(napi_env env, const std::vector<uint8_t>& bytes);

}  // namespace monero
