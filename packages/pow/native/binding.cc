// N-API binding over librandomx. All work runs on the addon's own threads and settles a promise.
// Errors have a code: ENOMEM, EAGAIN (no thread), ECANCELED, ERR_ALGORITHM, EFAILED.
//
//   flags()                                         -> flags that suit this processor
//   createTask()                                    -> task
//   cancel(task)
//   progress(task)                                  -> [done, total]
//   initCache(algorithm, seed, disabledFlags)       -> Promise<handle>
//   itemPaths()                                     -> names of vector code, the fastest first
//   initDataset(cache, threads, task, path, programs)
//                                                   -> Promise<handle>; an empty path is librandomx
//   items(cache, path, programs, first, count)      -> Promise<Uint8Array(64 * count)>
//   describe(handle)                                -> { flags, pages, isVector }
//   hash(handle, blob, isV2)                        -> Promise<Uint8Array(32)>
//   search(handle, task, blob, nonceOffset, startNonce, stride, count, difficulty, isPatient, isV2,
//          isCommitted)
//                                                   -> Promise<{ hashes, nonce? }>
//   release(handle)                                 -> Promise, once the memory is given back
//   releaseUnusedMemory()                           -> Promise, of the whole process
//
// A handle owns a cache or a dataset; work that uses it keeps it alive.
#include "binding.h"

#include <functional>
#include <system_error>
#include <unordered_set>

#include "process_memory.h"
#include "threads.h"

namespace monero {

namespace {

/** Most items that one call returns: 4 MiB. */
constexpr uint32_t MOST_ITEMS = 65536;

/** One call: `work` runs on a thread, then `answer` makes the result on JavaScript's thread. */
struct Job {
  napi_deferred deferred = nullptr;
  std::function<void()> work;
  std::function<napi_value(napi_env)> answer;
  /** Set for long work, which is canceled when the environment ends. */
  TaskRef task;
  std::string errorCode;
  std::string error;
};

/** The state of one JavaScript environment. */
struct Addon {
  Threads threads;
  napi_threadsafe_function settle = nullptr;
  size_t pending = 0;
  /** The tasks of running jobs; several jobs may share one. */
  std::unordered_multiset<TaskRef> tasks;
};

void run(Job* job) {
  try {
    job->work();
  } catch (const EngineError& error) {
    job->errorCode = error.code;
    job->error = error.what();
  } catch (const std::bad_alloc&) {
    job->errorCode = "ENOMEM";
    job->error = "out of memory";
  } catch (const std::exception& error) {
    job->errorCode = "EFAILED";
    job->error = error.what();
  }
  job->work = nullptr;
}

napi_value makeError(napi_env env, const std::string& code, const std::string& message) {
  napi_value codeValue, messageValue, error;
  napi_create_string_utf8(env, code.c_str(), code.size(), &codeValue);
  napi_create_string_utf8(env, message.c_str(), message.size(), &messageValue);
  napi_create_error(env, codeValue, messageValue, &error);
  return error;
}

/** Settles the promise of a job. When the environment is ending (`env` is null), only deletes it. */
void settleJob(napi_env env, napi_value, void* context, void* data) {
  std::unique_ptr<Job> job(static_cast<Job*>(data));
  if (env == nullptr) return;
  auto* addon = static_cast<Addon*>(context);
  if (--addon->pending == 0) napi_unref_threadsafe_function(env, addon->settle);
  if (job->task != nullptr) addon->tasks.erase(addon->tasks.find(job->task));
  if (job->error.empty()) {
    napi_resolve_deferred(env, job->deferred, job->answer(env));
  } else {
    napi_reject_deferred(env, job->deferred, makeError(env, job->errorCode, job->error));
  }
}

Addon* addonOf(napi_env env) {
  void* data = nullptr;
  napi_get_instance_data(env, &data);
  return static_cast<Addon*>(data);
}

/** Runs `work` on a thread and then `answer`; returns the promise. */
napi_value promise(napi_env env, std::function<void()> work,
                   std::function<napi_value(napi_env)> answer, TaskRef task = nullptr) {
  Addon* addon = addonOf(env);
  auto job = std::make_unique<Job>();
  job->work = std::move(work);
  job->answer = std::move(answer);
  job->task = std::move(task);
  napi_value result;
  napi_create_promise(env, &job->deferred, &result);
  Job* raw = job.get();
  try {
    addon->threads.run([raw, settle = addon->settle] {
      run(raw);
      if (napi_call_threadsafe_function(settle, raw, napi_tsfn_nonblocking) != napi_ok) delete raw;
    });
  } catch (const std::system_error&) {
    napi_reject_deferred(env, job->deferred, makeError(env, "EAGAIN", "no thread can be started"));
    return result;
  }
  job.release();
  if (raw->task != nullptr) addon->tasks.insert(raw->task);
  if (addon->pending++ == 0) napi_ref_threadsafe_function(env, addon->settle);
  return result;
}

napi_value undefined(napi_env env) {
  napi_value value;
  napi_get_undefined(env, &value);
  return value;
}

napi_value memoryAnswer(napi_env env, const MemoryRef& memory) {
  return makeHandle(env, new Handle{memory, nullptr});
}

napi_value Flags(napi_env env, napi_callback_info) {
  napi_value value;
  napi_create_int32(env, randomx_get_flags(), &value);
  return value;
}

napi_value CreateTask(napi_env env, napi_callback_info) {
  return makeHandle(env, new Handle{nullptr, std::make_shared<Task>()});
}

napi_value Cancel(napi_env env, napi_callback_info info) {
  Arguments arguments(env, info);
  TaskRef task;
  if (!arguments.task(0, &task)) return fail(env, "cancel(task): task expected");
  task->canceled = true;
  return nullptr;
}

napi_value Progress(napi_env env, napi_callback_info info) {
  Arguments arguments(env, info);
  TaskRef task;
  if (!arguments.task(0, &task)) return fail(env, "progress(task): task expected");
  napi_value pair, done, total;
  napi_create_array_with_length(env, 2, &pair);
  napi_create_double(env, static_cast<double>(task->done), &done);
  napi_create_double(env, static_cast<double>(task->total), &total);
  napi_set_element(env, pair, 0, done);
  napi_set_element(env, pair, 1, total);
  return pair;
}

napi_value InitCache(napi_env env, napi_callback_info info) {
  Arguments arguments(env, info);
  std::string algorithm, seed;
  uint32_t disabled;
  if (!arguments.text(0, &algorithm) || !arguments.bytes(1, &seed) ||
      !arguments.number(2, &disabled)) {
    return fail(env, "initCache(algorithm, seed, flags): string, Uint8Array and number expected");
  }
  if (algorithm != "rx/0") {
    napi_throw(env, makeError(env, "ERR_ALGORITHM", "this addon has no algorithm " + algorithm));
    return nullptr;
  }
  auto memory = std::make_shared<MemoryRef>();
  return promise(
      env, [=] { *memory = Memory::makeCache(seed, static_cast<int>(disabled)); },
      [=](napi_env later) { return memoryAnswer(later, *memory); });
}

napi_value PathsOfItems(napi_env env, napi_callback_info) {
  napi_value names;
  napi_create_array(env, &names);
  uint32_t i = 0;
  for (const ItemPath& path : itemPaths()) {
    napi_value name;
    napi_create_string_utf8(env, path.name, NAPI_AUTO_LENGTH, &name);
    napi_set_element(env, names, i++, name);
  }
  return names;
}

/** Reads the name of a path and programs for it; returns false unless this processor runs the path. */
bool readSource(const Arguments& arguments, size_t index, ItemSource* source) {
  std::string name, programs;
  if (!arguments.text(index, &name) || !arguments.bytes(index + 1, &programs)) return false;
  for (const ItemPath& path : itemPaths())
    if (name == path.name) source->make = path.make;
  return source->make != nullptr && readPrograms(reinterpret_cast<const uint8_t*>(programs.data()),
                                                 programs.size(), &source->programs);
}

napi_value InitDataset(napi_env env, napi_callback_info info) {
  Arguments arguments(env, info);
  MemoryRef cache;
  TaskRef task;
  uint32_t threads;
  std::string path;
  auto source = std::make_shared<ItemSource>();
  if (!arguments.memory(0, &cache) || cache->isDataset() || !arguments.number(1, &threads) ||
      threads == 0 || threads > 1024 || !arguments.task(2, &task) || !arguments.text(3, &path) ||
      (!path.empty() && !readSource(arguments, 3, source.get()))) {
    return fail(env,
                "initDataset(cache, threads, task, path, programs): cache, 1 to 1024, task, a path "
                "and programs expected");
  }
  auto memory = std::make_shared<MemoryRef>();
  return promise(
      env,
      [=] { *memory = Memory::makeDataset(*cache, static_cast<int>(threads), *source, *task); },
      [=](napi_env later) { return memoryAnswer(later, *memory); }, task);
}

napi_value Items(napi_env env, napi_callback_info info) {
  Arguments arguments(env, info);
  MemoryRef cache;
  auto source = std::make_shared<ItemSource>();
  uint32_t first, count;
  if (!arguments.memory(0, &cache) || cache->isDataset() ||
      !readSource(arguments, 1, source.get()) || !arguments.number(3, &first) ||
      !arguments.number(4, &count) || count > MOST_ITEMS) {
    return fail(env, "items(cache, path, programs, first, count): at most 65536 items expected");
  }
  auto items = std::make_shared<std::vector<uint8_t>>();
  return promise(
      env, [=] { *items = cache->items(*source, first, count); },
      [=](napi_env later) { return makeBytes(later, *items); });
}

napi_value Describe(napi_env env, napi_callback_info info) {
  Arguments arguments(env, info);
  MemoryRef memory;
  if (!arguments.memory(0, &memory)) return fail(env, "describe(handle): live handle expected");
  napi_value description, flags, pages, isVector, hasDiffered;
  napi_create_object(env, &description);
  napi_create_int32(env, memory->flags(), &flags);
  napi_create_string_utf8(env, pagesName(memory->pages()), NAPI_AUTO_LENGTH, &pages);
  napi_set_named_property(env, description, "flags", flags);
  napi_get_boolean(env, memory->isVector(), &isVector);
  napi_set_named_property(env, description, "pages", pages);
  napi_set_named_property(env, description, "isVector", isVector);
  napi_get_boolean(env, memory->hasDiffered(), &hasDiffered);
  napi_set_named_property(env, description, "hasDiffered", hasDiffered);
  return description;
}

Version versionOf(bool isV2) { return isV2 ? Version::V2 : Version::V1; }

napi_value Hash(napi_env env, napi_callback_info info) {
  Arguments arguments(env, info);
  MemoryRef memory;
  std::string blob;
  bool isV2 = false;
  if (!arguments.memory(0, &memory) || !arguments.bytes(1, &blob) || !arguments.boolean(2, &isV2)) {
    return fail(env, "hash(handle, blob, isV2): live handle, Uint8Array and boolean expected");
  }
  auto hash = std::make_shared<std::vector<uint8_t>>(RANDOMX_HASH_SIZE);
  return promise(
      env, [=] { calculateHash(*memory, blob, versionOf(isV2), hash->data()); },
      [=](napi_env later) { return makeBytes(later, *hash); });
}

napi_value searchAnswer(napi_env env, const SearchResult& result) {
  napi_value answer, hashes, nonce;
  napi_create_object(env, &answer);
  napi_create_uint32(env, result.hashes, &hashes);
  napi_set_named_property(env, answer, "hashes", hashes);
  if (result.found) {
    napi_create_uint32(env, result.nonce, &nonce);
    napi_set_named_property(env, answer, "nonce", nonce);
  }
  return answer;
}

napi_value StartSearch(napi_env env, napi_callback_info info) {
  Arguments arguments(env, info);
  MemoryRef memory;
  TaskRef task;
  Search job;
  bool isPatient = false;
  bool isV2 = false;
  if (!arguments.memory(0, &memory) || !arguments.task(1, &task) ||
      !arguments.bytes(2, &job.blob) || !arguments.number(3, &job.nonceOffset) ||
      !arguments.number(4, &job.startNonce) || !arguments.number(5, &job.stride) ||
      !arguments.number(6, &job.count) || !arguments.difficulty(7, job.difficulty) ||
      !arguments.boolean(8, &isPatient) || !arguments.boolean(9, &isV2) ||
      !arguments.boolean(10, &job.isCommitted) || job.blob.size() < 4 ||
      job.nonceOffset > job.blob.size() - 4) {
    return fail(env,
                "search: handle, task, blob, four numbers, a difficulty of 128 bits and three "
                "booleans expected");
  }
  job.version = versionOf(isV2);
  auto result = std::make_shared<SearchResult>();
  return promise(
      env,
      [=] {
        *result = isPatient ? searchPatiently(*memory, job, *task) : search(*memory, job, *task);
      },
      [=](napi_env later) { return searchAnswer(later, *result); }, task);
}

napi_value Release(napi_env env, napi_callback_info info) {
  Arguments arguments(env, info);
  MemoryRef memory;
  if (!arguments.takeMemory(0, &memory)) return fail(env, "release(handle): handle expected");
  // Releasing two gigabytes takes a while.
  auto last = std::make_shared<MemoryRef>(std::move(memory));
  return promise(
      env, [=] { last->reset(); }, undefined);
}

napi_value ReleaseUnused(napi_env env, napi_callback_info) {
  return promise(env, releaseUnusedMemory, undefined);
}

/** Ends all threads before the environment ends. */
void endAddon(void* data) {
  auto* addon = static_cast<Addon*>(data);
  for (const TaskRef& task : addon->tasks) task->canceled = true;
  addon->threads.stop();
}

void deleteAddon(napi_env, void* data, void*) { delete static_cast<Addon*>(data); }

void define(napi_env env, napi_value exports, const char* name, napi_callback callback) {
  napi_value function;
  napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, nullptr, &function);
  napi_set_named_property(env, exports, name, function);
}

napi_value setUp(napi_env env, napi_value exports) {
  auto* addon = new Addon();
  napi_value name;
  napi_create_string_utf8(env, "randomx", NAPI_AUTO_LENGTH, &name);
  if (napi_create_threadsafe_function(env, nullptr, nullptr, name, 0, 1, nullptr, nullptr, addon,
                                      settleJob, &addon->settle) != napi_ok) {
    delete addon;
    napi_throw_error(env, nullptr, "cannot set up the RandomX addon");
    return nullptr;
  }
  napi_unref_threadsafe_function(env, addon->settle);
  napi_set_instance_data(env, addon, deleteAddon, nullptr);
  napi_add_env_cleanup_hook(env, endAddon, addon);
  define(env, exports, "flags", Flags);
  define(env, exports, "createTask", CreateTask);
  define(env, exports, "cancel", Cancel);
  define(env, exports, "progress", Progress);
  define(env, exports, "initCache", InitCache);
  define(env, exports, "itemPaths", PathsOfItems);
  define(env, exports, "initDataset", InitDataset);
  define(env, exports, "items", Items);
  define(env, exports, "describe", Describe);
  define(env, exports, "hash", Hash);
  define(env, exports, "search", StartSearch);
  define(env, exports, "release", Release);
  define(env, exports, "releaseUnusedMemory", ReleaseUnused);
  return exports;
}

}  // namespace

}  // namespace monero

NAPI_MODULE_INIT() { return monero::setUp(env, exports); }
