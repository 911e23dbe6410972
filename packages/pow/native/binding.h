// Reading arguments and making values for binding.cc.
#pragma once

#include <node_api.h>

#include <memory>
#include <string>
#include <vector>

#include "engine.h"

using MemoryRef = std::shared_ptr<Memory>;
using TaskRef = std::shared_ptr<Task>;

// What stands behind an external value: a cache or dataset until it is released, or a task.
struct Handle {
  MemoryRef memory;
  TaskRef task;
};

// The arguments of a call; readers answer false where an argument is not what it should be.
class Arguments {
 public:
  Arguments(napi_env env, napi_callback_info info);
  bool bytes(size_t index, std::string* out) const;
  bool text(size_t index, std::string* out) const;
  bool number(size_t index, uint32_t* out) const;
  bool difficulty(size_t index, uint64_t* out) const;
  bool memory(size_t index, MemoryRef* out) const;
  // Takes it out of the handle, which may be empty already.
  bool takeMemory(size_t index, MemoryRef* out) const;
  bool task(size_t index, TaskRef* out) const;

 private:
  Handle* handle(size_t index) const;
  napi_env env_;
  size_t count_ = 8;
  napi_value values_[8];
};

// Throws a TypeError; returns what a callback returns then.
napi_value fail(napi_env env, const char* message);
napi_value makeHandle(napi_env env, Handle* handle);
napi_value makeBytes(napi_env env, const std::vector<uint8_t>& bytes);
