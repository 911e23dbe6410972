#include "engine.h"

#include <algorithm>
#include <cfenv>
#include <cstring>
#include <exception>
#include <system_error>
#include <thread>

#include "commitment.h"
#include "dataset.h"

#if defined(__linux__)
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace monero {

namespace {

constexpr size_t CACHE_SIZE = size_t{256} << 20;
/** RANDOMX_FLAG_V2 of librandomx 2.0, whose header may be missing here; older ones ignore the bit. */
constexpr int FLAG_V2 = 128;
/** Most virtual machines of a version kept for later hashes. */
constexpr size_t MAX_IDLE = 64;

randomx_flags with(int flags) { return static_cast<randomx_flags>(flags); }

/** Gives this thread a tenth of what a thread of normal priority gets. It cannot be undone without privileges. */
void lowerPriority() {
#if defined(__linux__)
  // On Linux a "process" of setpriority is a thread.
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), 10);
#endif
}

}  // namespace

void Memory::allocateCache() {
  cache_ = randomx_alloc_cache(with(flags_ | RANDOMX_FLAG_LARGE_PAGES));
  if (cache_ != nullptr) {
    pages_ = Pages::Huge;
    return;
  }
  cache_ = randomx_alloc_cache(with(flags_));
  if (cache_ == nullptr && (flags_ & RANDOMX_FLAG_JIT) != 0) {
    // Hardened systems refuse executable memory.
    flags_ &= ~RANDOMX_FLAG_JIT;
    cache_ = randomx_alloc_cache(with(flags_));
  }
  if (cache_ == nullptr) throw EngineError("ENOMEM", "no memory for a RandomX cache (256 MiB)");
  void* memory = cacheMemory(cache_);
  if (memory != nullptr) pages_ = adviseTransparent(memory, CACHE_SIZE);
}

std::shared_ptr<Memory> Memory::makeCache(const std::string& seed, int disabled) {
  std::shared_ptr<Memory> memory(new Memory());
  memory->flags_ = randomx_get_flags() & ~disabled & ~RANDOMX_FLAG_LARGE_PAGES;
  memory->allocateCache();
  randomx_init_cache(memory->cache_, seed.data(), seed.size());
  return memory;
}

void Memory::allocateDataset() {
  const size_t size = size_t{randomx_dataset_item_count()} * RANDOMX_DATASET_ITEM_SIZE;
  if (!hasGiganticPages()) {
    dataset_ = randomx_alloc_dataset(with(flags_ | RANDOMX_FLAG_LARGE_PAGES));
    if (dataset_ != nullptr) {
      pages_ = Pages::Huge;
      return;
    }
  }
  dataset_ = randomx_alloc_dataset(with(flags_));
  if (dataset_ == nullptr)
    throw EngineError("ENOMEM", "no memory for a RandomX dataset (2080 MiB)");
  void* begin = randomx_get_dataset_memory(dataset_);
  pages_ = hasGiganticPages() ? replacePages(begin, size) : adviseTransparent(begin, size);
}

std::shared_ptr<Memory> Memory::makeDataset(const Memory& cache, int threads,
                                            const ItemSource& source, Task& task) {
  std::shared_ptr<Memory> memory(new Memory());
  memory->flags_ = cache.flags_;
  memory->allocateDataset();
  DatasetFiller filler(memory->dataset_, cache.cache_, source, task);
  filler.fill(threads);
  if (task.canceled) throw EngineError("ECANCELED", "the RandomX dataset is no longer needed");
  memory->isVector_ = filler.isVector();
  memory->hasDiffered_ = filler.hasDiffered();
  return memory;
}

std::vector<uint8_t> Memory::items(const ItemSource& source, uint32_t first, uint32_t count) const {
  const uint8_t* bytes = cache_ == nullptr ? nullptr : readableCache(cache_);
  if (bytes == nullptr) throw EngineError("EFAILED", "the bytes of the RandomX cache are unknown");
  const size_t padded = (count + ITEM_BATCH - 1) / ITEM_BATCH * ITEM_BATCH;
  std::vector<uint8_t> items(padded * ITEM_SIZE);
  source.make(bytes, source.programs.data(), first, padded, items.data());
  items.resize(count * ITEM_SIZE);
  return items;
}

Memory::~Memory() {
  for (const auto& machines : idle_) {
    for (randomx_vm* vm : machines) randomx_destroy_vm(vm);
  }
  if (dataset_ != nullptr) randomx_release_dataset(dataset_);
  if (cache_ != nullptr) randomx_release_cache(cache_);
}

randomx_vm* Memory::createMachine(Version version) const {
  const int memoryFlags = isDataset() ? flags_ | RANDOMX_FLAG_FULL_MEM : flags_;
  const int flags = version == Version::V2 ? memoryFlags | FLAG_V2 : memoryFlags;
  const auto create = [&](int kind) {
    randomx_vm* vm = randomx_create_vm(with(kind | RANDOMX_FLAG_LARGE_PAGES), cache_, dataset_);
    return vm != nullptr ? vm : randomx_create_vm(with(kind), cache_, dataset_);
  };
  randomx_vm* vm = create(flags);
  if (vm != nullptr || (flags & RANDOMX_FLAG_JIT) == 0) return vm;
  // Hardened systems refuse pages that are both writable and executable, or executable pages in
  // general.
  vm = create(flags | RANDOMX_FLAG_SECURE);
  return vm != nullptr ? vm : create(flags & ~RANDOMX_FLAG_JIT);
}

Machine::Machine(Memory& memory, Version version)
    : memory_(memory), version_(version), vm_(nullptr) {
  {
    std::lock_guard<std::mutex> guard(memory.mutex_);
    std::vector<randomx_vm*>& idle = memory.idle(version);
    if (!idle.empty()) {
      vm_ = idle.back();
      idle.pop_back();
      return;
    }
  }
  vm_ = memory.createMachine(version);
  if (vm_ == nullptr) throw EngineError("ENOMEM", "no memory for a RandomX virtual machine");
}

Machine::~Machine() {
  {
    std::lock_guard<std::mutex> guard(memory_.mutex_);
    std::vector<randomx_vm*>& idle = memory_.idle(version_);
    if (idle.size() < MAX_IDLE) {
      idle.push_back(vm_);
      return;
    }
  }
  randomx_destroy_vm(vm_);
}

void calculateHash(Memory& memory, const std::string& blob, Version version, uint8_t* hash) {
  Machine machine(memory, version);
  randomx_calculate_hash(machine.get(), blob.data(), blob.size(), hash);
}

bool meetsDifficulty(const uint8_t* hash, const uint64_t* difficulty) {
  if (difficulty[0] == 0 && difficulty[1] == 0) return false;
  uint64_t product[6] = {0, 0, 0, 0, 0, 0};
  for (int j = 0; j < 2; j++) {
    uint64_t carry = 0;
    for (int i = 0; i < 4; i++) {
      uint64_t word = 0;
      for (int k = 7; k >= 0; k--) word = word << 8 | hash[8 * i + k];
      const unsigned __int128 sum =
          static_cast<unsigned __int128>(word) * difficulty[j] + product[i + j] + carry;
      product[i + j] = static_cast<uint64_t>(sum);
      carry = static_cast<uint64_t>(sum >> 64);
    }
    product[4 + j] += carry;
  }
  return product[4] == 0 && product[5] == 0;
}

SearchResult search(Memory& memory, const Search& job, Task& task) {
  SearchResult result;
  if (job.count == 0 || task.canceled) return result;
  Machine machine(memory, job.version);
  // RandomX programs change the rounding mode and do not restore it between hashes.
  std::fenv_t environment;
  std::fegetenv(&environment);
  std::string blob = job.blob;
  std::string hashedBlob;
  uint32_t nonce = job.startNonce;
  const auto setNonce = [&] {
    for (int i = 0; i < 4; i++) blob[job.nonceOffset + i] = static_cast<char>(nonce >> (8 * i));
  };
  uint8_t hash[RANDOMX_HASH_SIZE];
  setNonce();
  randomx_calculate_hash_first(machine.get(), blob.data(), blob.size());
  for (bool last = false; !last;) {
    const uint32_t hashed = nonce;
    if (job.isCommitted) hashedBlob = blob;
    last = result.hashes + 1 == job.count || task.canceled;
    if (last) {
      randomx_calculate_hash_last(machine.get(), hash);
    } else {
      nonce += job.stride;
      setNonce();
      randomx_calculate_hash_next(machine.get(), blob.data(), blob.size(), hash);
    }
    result.hashes++;
    task.done++;
    if (job.isCommitted) commit(hashedBlob, hash, hash);
    if (!meetsDifficulty(hash, job.difficulty)) continue;
    result.found = true;
    result.nonce = hashed;
    break;
  }
  std::fesetenv(&environment);
  return result;
}

SearchResult searchPatiently(Memory& memory, const Search& job, Task& task) {
  SearchResult result;
  std::exception_ptr failure;
  const auto work = [&] {
    lowerPriority();
    try {
      result = search(memory, job, task);
    } catch (...) {
      failure = std::current_exception();
    }
  };
  try {
    std::thread(work).join();
  } catch (const std::system_error&) {
    // No thread can be started, so this one does it.
    return search(memory, job, task);
  }
  if (failure) std::rethrow_exception(failure);
  return result;
}

}  // namespace monero
