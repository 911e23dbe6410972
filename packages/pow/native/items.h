// Computes items of a RandomX dataset from a cache, many at once in the lanes of vectors. librandomx computes one after the
// other, and most of its time goes into waiting for the eight places of the cache that an item reads. Here the places of a
// whole batch are fetched while a program runs on all of its items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace monero {

/** One instruction of SuperscalarHash (RandomX specification, 6.1); the numbers are those of the reference implementation. */
struct SuperscalarInstruction {
  uint8_t operation;
  uint8_t destination;
  uint8_t source;
  /** Bits by which IADD_RS shifts its source, or IROR_C rotates. */
  uint8_t shift;
  /** The sign-extended constant, or the reciprocal of IMUL_RCP. */
  uint64_t constant;
};

struct SuperscalarProgram {
  std::vector<SuperscalarInstruction> instructions;
  /** The register that selects the next place of the cache. */
  uint8_t addressRegister;
};

enum SuperscalarOperation : uint8_t {
  ISUB_R,
  IXOR_R,
  IADD_RS,
  IMUL_R,
  IROR_C,
  IADD_C7,
  IXOR_C7,
  IADD_C8,
  IXOR_C8,
  IADD_C9,
  IXOR_C9,
  IMULH_R,
  ISMULH_R,
  IMUL_RCP,
  OPERATIONS
};

/** Programs of a cache (RANDOMX_CACHE_ACCESSES). */
constexpr size_t PROGRAMS = 8;
constexpr size_t ITEM_SIZE = 64;
/** Items of 64 bytes in a cache of 256 MiB. */
constexpr uint64_t CACHE_ITEMS = uint64_t{1} << 22;
/** Items of a batch: every count that is passed to MakeItems is a multiple of it. */
constexpr size_t ITEM_BATCH = 64;

/** Writes the `count` items from number `first` on to `out`, which is aligned to 64 bytes as the cache is. */
using MakeItems = void (*)(const uint8_t* cache, const SuperscalarProgram* programs, uint64_t first,
                           size_t count, uint8_t* out);

/** Code for one kind of vectors. */
struct ItemPath {
  const char* name;
  MakeItems make;
};

/**
 * Returns the code that this processor runs, the fastest first; none where librandomx is as fast, and none where the bytes of
 * a cache are out of reach, as on other systems than Linux.
 */
std::vector<ItemPath> itemPaths();

/** What dataset items are made with; without `make`, librandomx makes them. */
struct ItemSource {
  MakeItems make = nullptr;
  std::vector<SuperscalarProgram> programs;
};

/**
 * Reads eight programs, each of two bytes for the number of its instructions, one for the address register, and 12 bytes for
 * each instruction: operation, destination, source, shift, and the constant. Numbers are little-endian. Returns false unless
 * all is in range and no byte is left.
 */
bool readPrograms(const uint8_t* bytes, size_t size, std::vector<SuperscalarProgram>* programs);

}  // namespace monero
