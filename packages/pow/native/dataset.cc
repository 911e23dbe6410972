#include "dataset.h"

#include <algorithm>
#include <cstring>
#include <system_error>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>

// Only versions of librandomx after 1.1 export it.
extern "C" void* randomx_get_cache_memory(randomx_cache*) __attribute__((weak));
#endif

namespace monero {

namespace {

/** Items of a piece: 1 MiB, a few milliseconds. */
constexpr unsigned long PIECE = 16384;
constexpr size_t CACHE_SIZE = CACHE_ITEMS * ITEM_SIZE;

}  // namespace

void* cacheMemory(randomx_cache* cache) {
#if defined(__linux__)
  if (randomx_get_cache_memory != nullptr) return randomx_get_cache_memory(cache);
  // In librandomx 1.1 the structure begins with the pointer.
  void* memory;
  std::memcpy(&memory, cache, sizeof(memory));
  return memory;
#else
  (void)cache;
  return nullptr;
#endif
}

const uint8_t* readableCache(randomx_cache* cache) {
  auto* bytes = static_cast<const uint8_t*>(cacheMemory(cache));
#if defined(__linux__)
  constexpr uintptr_t PAGE = 4096;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(bytes) & ~(PAGE - 1);
  const uintptr_t end = (reinterpret_cast<uintptr_t>(bytes) + CACHE_SIZE + PAGE - 1) & ~(PAGE - 1);
  if (bytes == nullptr || end < begin) return nullptr;
  // It fails where an address of the range is not mapped.
  std::vector<unsigned char> resident((end - begin) / PAGE);
  if (mincore(reinterpret_cast<void*>(begin), end - begin, resident.data()) != 0) return nullptr;
#endif
  return bytes;
}

DatasetFiller::DatasetFiller(randomx_dataset* dataset, randomx_cache* cache,
                             const ItemSource& source, Task& task)
    : dataset_(dataset),
      cache_(cache),
      source_(source),
      task_(task),
      items_(static_cast<uint8_t*>(randomx_get_dataset_memory(dataset))) {
  task_.total = randomx_dataset_item_count();
  if (source_.make == nullptr) return;
  cacheBytes_ = readableCache(cache_);
  isVector_ = cacheBytes_ != nullptr;
}

void DatasetFiller::fill(int threads) {
  if (isVector_) {
    source_.make(cacheBytes_, source_.programs.data(), 0, ITEM_BATCH, items_);
    for (unsigned long item = 0; item < ITEM_BATCH; item++) check(item);
  }
  const bool wasVector = isVector_;
  fillOn(threads);
  if (wasVector && !isVector_) fillOn(threads);
}

void DatasetFiller::fillOn(int threads) {
  next_ = 0;
  task_.done = 0;
  const auto work = [this] { fillPieces(); };
  std::vector<std::thread> helpers;
  try {
    for (int i = 1; i < threads; i++) helpers.emplace_back(work);
  } catch (const std::system_error&) {
    // Go on with fewer threads.
  }
  work();
  for (std::thread& helper : helpers) helper.join();
}

void DatasetFiller::fillPieces() {
  const unsigned long items = randomx_dataset_item_count();
  const bool wasVector = isVector_;
  while (!task_.canceled && isVector_ == wasVector) {
    const unsigned long start = next_.fetch_add(PIECE);
    if (start >= items) return;
    const unsigned long count = std::min(PIECE, items - start);
    fillPiece(start, count);
    task_.done += count;
  }
}

void DatasetFiller::fillPiece(unsigned long start, unsigned long count) {
  unsigned long made = 0;
  if (isVector_) {
    made = count / ITEM_BATCH * ITEM_BATCH;
    source_.make(cacheBytes_, source_.programs.data(), start, made, items_ + start * ITEM_SIZE);
    // Any item of the piece will do, as long as it is not always the same one.
    if (made > 0) check(start + start / PIECE * 257 % made);
  }
  if (made < count) randomx_init_dataset(dataset_, cache_, start + made, count - made);
}

void DatasetFiller::check(unsigned long item) {
  uint8_t* at = items_ + item * ITEM_SIZE;
  uint8_t ours[ITEM_SIZE];
  std::memcpy(ours, at, ITEM_SIZE);
  randomx_init_dataset(dataset_, cache_, item, 1);
  if (std::memcmp(ours, at, ITEM_SIZE) == 0) return;
  hasDiffered_ = true;
  isVector_ = false;
}

}  // namespace monero
