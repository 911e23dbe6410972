// Fills the 2080 MiB of a RandomX dataset.
#pragma once

#include <randomx.h>

#include <atomic>

#include "items.h"
#include "task.h"

namespace monero {

/** Returns the address of the cache's bytes, or nullptr if it is unknown. It may be wrong: use it for hints only. */
void* cacheMemory(randomx_cache* cache);

/** Returns the bytes of the cache, or nullptr unless all of them can be read. */
const uint8_t* readableCache(randomx_cache* cache);

/**
 * Computes the items of a dataset in pieces, on any number of threads. What vector code makes is compared with librandomx:
 * the first items, and one of each piece. If they differ, librandomx makes all of them.
 */
class DatasetFiller {
 public:
  DatasetFiller(randomx_dataset* dataset, randomx_cache* cache, const ItemSource& source,
                Task& task);

  /** Returns when all items are there, or soon after the task was canceled. */
  void fill(int threads);
  /** Whether vector code has made the items. */
  bool isVector() const { return isVector_; }
  /** Whether vector code has made other items than librandomx. It is not even tried where the cache cannot be read. */
  bool hasDiffered() const { return hasDiffered_; }

 private:
  void fillOn(int threads);
  void fillPieces();
  void fillPiece(unsigned long start, unsigned long count);
  /** Compares an item with librandomx, whose item takes its place. */
  void check(unsigned long item);

  randomx_dataset* dataset_;
  randomx_cache* cache_;
  const ItemSource& source_;
  Task& task_;
  uint8_t* items_;
  const uint8_t* cacheBytes_ = nullptr;
  std::atomic<bool> isVector_{false};
  std::atomic<bool> hasDiffered_{false};
  std::atomic<unsigned long> next_{0};
};

}  // namespace monero
