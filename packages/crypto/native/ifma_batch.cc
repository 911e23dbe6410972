// Decoding and multiplying many points, eight at a time; the last group is filled up with copies.
#include "ifma.h"
#include "ifma_multiply.h"

namespace monero {
namespace ifma {

namespace {

ALWAYS_INLINE size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/** Groups of eight decoded side by side. */
constexpr int GROUPS = 3;

}  // namespace

bool decodeAll(Point* points, const u8* const* encoded, size_t count) {
  for (size_t first = 0; first < count; first += 8 * GROUPS) {
    Decoding decodings[GROUPS];
    Field8 powers[GROUPS];
    for (int g = 0; g < GROUPS; g++) {
      const u8* group[8];
      for (int lane = 0; lane < 8; lane++) {
        group[lane] = encoded[smaller(first + 8 * g + lane, count - 1)];
      }
      decodings[g] = startDecoding(group);
      powers[g] = decodings[g].root.uv7;
    }
    powerForRoot<GROUPS>(powers, powers);
    for (int g = 0; g < GROUPS; g++) {
      Point8 decoded;
      if (finishDecoding(&decoded, decodings[g], powers[g]) != 0xff) return false;
      Point* group[8];
      for (int lane = 0; lane < 8; lane++) {
        group[lane] = &points[smaller(first + 8 * g + lane, count - 1)];
      }
      scatterPoints(group, decoded);
    }
  }
  return true;
}

void multiplyAndEncode(u8 (*encoded)[32], const Point* points, size_t count, const u8* scalar) {
  const u8* scalars[8];
  for (const u8*& each : scalars) each = scalar;
  for (size_t first = 0; first < count; first += 8) {
    const Point* group[8];
    for (int lane = 0; lane < 8; lane++) group[lane] = &points[smaller(first + lane, count - 1)];
    u8 bytes[8][32];
    encode(bytes, multiply(gatherPoints(group), scalars));
    std::memcpy(encoded[first], bytes, 32 * smaller(8, count - first));
  }
}

}  // namespace ifma
}  // namespace monero
