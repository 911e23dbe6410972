#include "items.h"

#include <cstring>

namespace monero {

namespace {

constexpr size_t HEADER_SIZE = 3;
constexpr size_t INSTRUCTION_SIZE = 12;
/** RANDOMX_SUPERSCALAR_LATENCY is 170: three instructions a cycle, and two. */
constexpr size_t MAX_INSTRUCTIONS = 3 * 170 + 2;
constexpr uint8_t REGISTERS = 8;

bool readInstruction(const uint8_t* bytes, SuperscalarInstruction* instruction) {
  instruction->operation = bytes[0];
  instruction->destination = bytes[1];
  instruction->source = bytes[2];
  instruction->shift = bytes[3];
  instruction->constant = 0;
  for (int i = 7; i >= 0; i--) instruction->constant = instruction->constant << 8 | bytes[4 + i];
  return instruction->operation < OPERATIONS && instruction->destination < REGISTERS &&
         instruction->source < REGISTERS && instruction->shift < 64;
}

}  // namespace

bool readPrograms(const uint8_t* bytes, size_t size, std::vector<SuperscalarProgram>* programs) {
  size_t at = 0;
  programs->clear();
  while (programs->size() < PROGRAMS) {
    if (size - at < HEADER_SIZE) return false;
    const size_t count = bytes[at] | size_t{bytes[at + 1]} << 8;
    SuperscalarProgram program;
    program.addressRegister = bytes[at + 2];
    at += HEADER_SIZE;
    if (count > MAX_INSTRUCTIONS || program.addressRegister >= REGISTERS ||
        size - at < count * INSTRUCTION_SIZE) {
      return false;
    }
    for (size_t i = 0; i < count; i++, at += INSTRUCTION_SIZE) {
      SuperscalarInstruction instruction;
      if (!readInstruction(bytes + at, &instruction)) return false;
      program.instructions.push_back(instruction);
    }
    programs->push_back(std::move(program));
  }
  return at == size;
}

#ifdef MONERO_AVX2
namespace avx2 {
void makeItems(const uint8_t*, const SuperscalarProgram*, uint64_t, size_t, uint8_t*);
}
#endif
#ifdef MONERO_AVX512
namespace avx512 {
void makeItems(const uint8_t*, const SuperscalarProgram*, uint64_t, size_t, uint8_t*);
}
#endif

std::vector<ItemPath> itemPaths() {
  std::vector<ItemPath> paths;
  // Elsewhere the address of a cache's bytes is unknown (dataset.h).
#if defined(__linux__)
#ifdef MONERO_AVX512
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    paths.push_back({"avx512", avx512::makeItems});
#endif
#ifdef MONERO_AVX2
  if (__builtin_cpu_supports("avx2")) paths.push_back({"avx2", avx2::makeItems});
#endif
#endif
  return paths;
}

}  // namespace monero
