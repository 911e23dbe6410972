// RandomX caches, datasets and virtual machines, and hashing with them. Independent of Node.
#pragma once

#include <randomx.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "items.h"
#include "pages.h"
#include "task.h"

namespace monero {

/** A failure with the `code` that the JavaScript Error gets. */
struct EngineError : std::runtime_error {
  EngineError(const char* errorCode, const char* message)
      : std::runtime_error(message), code(errorCode) {}
  const char* code;
};

/** Versions of RandomX. They share caches and datasets, but not machines. */
enum class Version { V1, V2 };
constexpr size_t VERSIONS = 2;

/** A cache (256 MiB, light mode) or a dataset (2080 MiB, fast mode), and its idle machines. */
class Memory {
 public:
  /** Throws EngineError ENOMEM. `disabled`: processor flags that must not be used. */
  static std::shared_ptr<Memory> makeCache(const std::string& seed, int disabled);
  /** Computes the dataset on `threads` threads. Throws EngineError ENOMEM or ECANCELED. */
  static std::shared_ptr<Memory> makeDataset(const Memory& cache, int threads,
                                             const ItemSource& source, Task& task);
  /** Computes dataset items of a cache with vector code. Throws EngineError EFAILED. */
  std::vector<uint8_t> items(const ItemSource& source, uint32_t first, uint32_t count) const;

  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  Pages pages() const { return pages_; }
  bool isDataset() const { return dataset_ != nullptr; }
  int flags() const { return flags_; }
  /** Whether vector code has made the items of the dataset, and not librandomx. */
  bool isVector() const { return isVector_; }
  /** Whether vector code has made other items than librandomx, which then made all of them. */
  bool hasDiffered() const { return hasDiffered_; }

 private:
  friend class Machine;
  Memory() = default;
  randomx_vm* createMachine(Version version) const;
  std::vector<randomx_vm*>& idle(Version version) { return idle_[static_cast<size_t>(version)]; }
  void allocateCache();
  void allocateDataset();

  randomx_cache* cache_ = nullptr;
  randomx_dataset* dataset_ = nullptr;
  int flags_ = RANDOMX_FLAG_DEFAULT;
  Pages pages_ = Pages::Plain;
  bool isVector_ = false;
  bool hasDiffered_ = false;
  std::mutex mutex_;
  std::vector<randomx_vm*> idle_[VERSIONS];
};

/**
 * Borrows a virtual machine of a memory. The constructor throws EngineError ENOMEM. A librandomx without version 2 takes
 * no notice of it and gives a machine of version 1.
 */
class Machine {
 public:
  Machine(Memory& memory, Version version);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  randomx_vm* get() const { return vm_; }

 private:
  Memory& memory_;
  Version version_;
  randomx_vm* vm_;
};

/** The nonces to try: `count` of them, `stride` apart. */
struct Search {
  std::string blob;
  uint32_t nonceOffset = 0;
  uint32_t startNonce = 0;
  uint32_t stride = 1;
  uint32_t count = 0;
  /** 128 bits, lower half first. */
  uint64_t difficulty[2] = {0, 0};
  Version version = Version::V1;
  /** Whether the commitment to the hash, and not the hash, is compared with the difficulty. */
  bool isCommitted = false;
};

struct SearchResult {
  bool found = false;
  uint32_t nonce = 0;
  uint32_t hashes = 0;
};

void calculateHash(Memory& memory, const std::string& blob, Version version, uint8_t* hash);
SearchResult search(Memory& memory, const Search& search, Task& task);
/** The same on a thread of low priority, where the system has such threads; returns when it has ended. */
SearchResult searchPatiently(Memory& memory, const Search& search, Task& task);

/** Whether hash (little-endian) times difficulty is below 2^256; false for difficulty 0. */
bool meetsDifficulty(const uint8_t* hash, const uint64_t* difficulty);

}  // namespace monero
