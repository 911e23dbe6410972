// N-API binding over librandomx for verification: light-mode caches and hashes, computed on
// libuv worker threads so that the event loop never waits for them.
//
//   initCache(seed: Uint8Array)            -> Promise<handle>
//   hash(handle, blob: Uint8Array)         -> Promise<Uint8Array(32)>
//   release(handle)                        -> frees the cache once running hashes are done
//
// A handle owns one 256 MiB cache and a pool of virtual machines that are reused between hashes.
#include <node_api.h>
#include <randomx.h>

#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace {

struct Cache {
  randomx_cache* cache = nullptr;
  randomx_flags flags = RANDOMX_FLAG_DEFAULT;
  std::mutex mutex;
  std::vector<randomx_vm*> idle;

  ~Cache() {
    for (randomx_vm* vm : idle) randomx_destroy_vm(vm);
    if (cache != nullptr) randomx_release_cache(cache);
  }

  randomx_vm* take() {
    {
      std::lock_guard<std::mutex> guard(mutex);
      if (!idle.empty()) {
        randomx_vm* vm = idle.back();
        idle.pop_back();
        return vm;
      }
    }
    randomx_vm* vm = randomx_create_vm(flags, cache, nullptr);
    if (vm != nullptr || (flags & RANDOMX_FLAG_JIT) == 0) return vm;
    // Hardened systems refuse pages that are writable and executable at once.
    vm = randomx_create_vm(static_cast<randomx_flags>(flags | RANDOMX_FLAG_SECURE), cache, nullptr);
    if (vm != nullptr) return vm;
    return randomx_create_vm(static_cast<randomx_flags>(flags & ~RANDOMX_FLAG_JIT), cache, nullptr);
  }

  void give(randomx_vm* vm) {
    std::lock_guard<std::mutex> guard(mutex);
    idle.push_back(vm);
  }
};

using CacheRef = std::shared_ptr<Cache>;

struct Work {
  napi_async_work work = nullptr;
  napi_deferred deferred = nullptr;
  bool makeCache = false;
  std::string input;
  CacheRef cache;
  uint8_t hash[RANDOMX_HASH_SIZE];
  const char* error = nullptr;
};

void makeCache(Work* job) {
  auto cache = std::make_shared<Cache>();
  cache->flags = randomx_get_flags();
  cache->cache = randomx_alloc_cache(cache->flags);
  if (cache->cache == nullptr) {
    cache->flags = static_cast<randomx_flags>(cache->flags & ~RANDOMX_FLAG_JIT);
    cache->cache = randomx_alloc_cache(cache->flags);
  }
  if (cache->cache == nullptr) {
    job->error = "out of memory for the RandomX cache (256 MiB)";
    return;
  }
  randomx_init_cache(cache->cache, job->input.data(), job->input.size());
  job->cache = std::move(cache);
}

void makeHash(Work* job) {
  randomx_vm* vm = job->cache->take();
  if (vm == nullptr) {
    job->error = "cannot create a RandomX virtual machine";
    return;
  }
  randomx_calculate_hash(vm, job->input.data(), job->input.size(), job->hash);
  job->cache->give(vm);
}

void execute(napi_env, void* data) {
  auto* job = static_cast<Work*>(data);
  if (job->makeCache) {
    makeCache(job);
  } else {
    makeHash(job);
  }
}

void deleteHandle(napi_env, void* data, void*) { delete static_cast<CacheRef*>(data); }

napi_value result(napi_env env, Work* job) {
  napi_value value = nullptr;
  if (job->makeCache) {
    auto* handle = new CacheRef(job->cache);
    if (napi_create_external(env, handle, deleteHandle, nullptr, &value) != napi_ok) delete handle;
    return value;
  }
  void* bytes = nullptr;
  napi_value buffer;
  napi_create_arraybuffer(env, RANDOMX_HASH_SIZE, &bytes, &buffer);
  std::memcpy(bytes, job->hash, RANDOMX_HASH_SIZE);
  napi_create_typedarray(env, napi_uint8_array, RANDOMX_HASH_SIZE, buffer, 0, &value);
  return value;
}

void complete(napi_env env, napi_status status, void* data) {
  std::unique_ptr<Work> job(static_cast<Work*>(data));
  if (status != napi_ok && job->error == nullptr) job->error = "cancelled";
  if (job->error != nullptr) {
    napi_value message, error;
    napi_create_string_utf8(env, job->error, NAPI_AUTO_LENGTH, &message);
    napi_create_error(env, nullptr, message, &error);
    napi_reject_deferred(env, job->deferred, error);
  } else {
    napi_resolve_deferred(env, job->deferred, result(env, job.get()));
  }
  napi_delete_async_work(env, job->work);
}

napi_value queue(napi_env env, std::unique_ptr<Work> job) {
  napi_value promise, name;
  napi_create_promise(env, &job->deferred, &promise);
  napi_create_string_utf8(env, "randomx", NAPI_AUTO_LENGTH, &name);
  Work* raw = job.release();
  if (napi_create_async_work(env, nullptr, name, execute, complete, raw, &raw->work) != napi_ok ||
      napi_queue_async_work(env, raw->work) != napi_ok) {
    delete raw;
    napi_throw_error(env, nullptr, "cannot queue RandomX work");
    return nullptr;
  }
  return promise;
}

bool readBytes(napi_env env, napi_value value, std::string* out) {
  bool typed = false;
  if (napi_is_typedarray(env, value, &typed) != napi_ok || !typed) return false;
  napi_typedarray_type type;
  size_t length;
  void* data;
  if (napi_get_typedarray_info(env, value, &type, &length, &data, nullptr, nullptr) != napi_ok) {
    return false;
  }
  if (type != napi_uint8_array) return false;
  out->assign(static_cast<const char*>(data), length);
  return true;
}

CacheRef* readHandle(napi_env env, napi_value value) {
  napi_valuetype type;
  void* data = nullptr;
  if (napi_typeof(env, value, &type) != napi_ok || type != napi_external) return nullptr;
  napi_get_value_external(env, value, &data);
  return static_cast<CacheRef*>(data);
}

napi_value fail(napi_env env, const char* message) {
  napi_throw_type_error(env, nullptr, message);
  return nullptr;
}

napi_value InitCache(napi_env env, napi_callback_info info) {
  size_t argc = 1;
  napi_value args[1];
  napi_get_cb_info(env, info, &argc, args, nullptr, nullptr);
  auto job = std::make_unique<Work>();
  job->makeCache = true;
  if (argc < 1 || !readBytes(env, args[0], &job->input)) {
    return fail(env, "initCache(seed): Uint8Array expected");
  }
  return queue(env, std::move(job));
}

napi_value Hash(napi_env env, napi_callback_info info) {
  size_t argc = 2;
  napi_value args[2];
  napi_get_cb_info(env, info, &argc, args, nullptr, nullptr);
  auto job = std::make_unique<Work>();
  CacheRef* handle = argc == 2 ? readHandle(env, args[0]) : nullptr;
  if (handle == nullptr || *handle == nullptr || !readBytes(env, args[1], &job->input)) {
    return fail(env, "hash(handle, blob): live handle and Uint8Array expected");
  }
  job->cache = *handle;
  return queue(env, std::move(job));
}

napi_value Release(napi_env env, napi_callback_info info) {
  size_t argc = 1;
  napi_value args[1];
  napi_get_cb_info(env, info, &argc, args, nullptr, nullptr);
  CacheRef* handle = argc == 1 ? readHandle(env, args[0]) : nullptr;
  if (handle != nullptr) handle->reset();
  return nullptr;
}

void define(napi_env env, napi_value exports, const char* name, napi_callback callback) {
  napi_value function;
  napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, nullptr, &function);
  napi_set_named_property(env, exports, name, function);
}

}  // namespace

NAPI_MODULE_INIT() {
  define(env, exports, "initCache", InitCache);
  define(env, exports, "hash", Hash);
  define(env, exports, "release", Release);
  return exports;
}
