// RandomX caches and datasets with their virtual machines, and what is done on them. Nothing here knows of Node.
#pragma once

#include <randomx.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "pages.h"

// What a failure is called in JavaScript: the code of an Error.
struct EngineError : std::runtime_error {
  EngineError(const char* errorCode, const char* message)
      : std::runtime_error(message), code(errorCode) {}
  const char* code;
};

// Long work that can be ended early and asked how far it is.
struct Task {
  std::atomic<bool> cancelled{false};
  std::atomic<uint64_t> done{0};
  std::atomic<uint64_t> total{0};
};

// A cache (256 MiB, light mode) or a dataset (2080 MiB, fast mode), and virtual machines that are kept between hashes.
class Memory {
 public:
  // Throws EngineError ENOMEM. `disabled`: flags of the processor not to be used.
  static std::shared_ptr<Memory> makeCache(const std::string& seed, int disabled);
  // Computes the dataset on `threads` threads. Throws EngineError ENOMEM, ECANCELED.
  static std::shared_ptr<Memory> makeDataset(const Memory& cache, int threads, Task& task);

  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  Pages pages() const { return pages_; }
  bool isDataset() const { return dataset_ != nullptr; }
  int flags() const { return flags_; }

 private:
  friend class Machine;
  Memory() = default;
  randomx_vm* createMachine() const;
  void allocateCache();
  void allocateDataset();

  randomx_cache* cache_ = nullptr;
  randomx_dataset* dataset_ = nullptr;
  int flags_ = RANDOMX_FLAG_DEFAULT;
  Pages pages_ = Pages::kPlain;
  std::mutex mutex_;
  std::vector<randomx_vm*> idle_;
};

// Borrows a virtual machine of a memory for a while. Throws EngineError ENOMEM.
class Machine {
 public:
  explicit Machine(Memory& memory);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  randomx_vm* get() const { return vm_; }

 private:
  Memory& memory_;
  randomx_vm* vm_;
};

// A run of nonces to try.
struct Search {
  std::string blob;
  uint32_t nonceOffset = 0;
  uint32_t startNonce = 0;
  uint32_t stride = 1;
  uint32_t count = 0;
  // 128 bits, lower half first.
  uint64_t difficulty[2] = {0, 0};
};

struct SearchResult {
  bool found = false;
  uint32_t nonce = 0;
  uint32_t hashes = 0;
};

void calculateHash(Memory& memory, const std::string& blob, uint8_t* hash);
SearchResult search(Memory& memory, const Search& search, Task& task);

// Whether the hash as a little-endian number times the difficulty stays below 2^256. Difficulty 0 never does.
bool meetsDifficulty(const uint8_t* hash, const uint64_t* difficulty);
