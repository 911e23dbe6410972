#include "tree_leaves.h"

#include <string>
#include <unordered_map>
#include <vector>

#include "../../crypto/native/multiply.h"

namespace monero {

namespace {

/** A third of A = 486662, the coefficient of Curve25519. */
constexpr Field A_OVER_3 = {
    {0x2aaaaaaad2451, 0x5555555555555, 0x2aaaaaaaaaaaa, 0x5555555555555, 0x2aaaaaaaaaaaa}};
/** The square root of -(A + 2) that y of Wei25519 has as a factor. */
constexpr Field WEI_ROOT = {
    {0x604aaff457e06, 0x2296fa350598d, 0x7f13dfb16874f, 0x35de93d846e01, 0x0f26edf460a00}};
/** 1/8 modulo the order of the prime-order subgroup. */
constexpr u8 INVERSE_OF_8[32] = {0x79, 0x2f, 0xdc, 0xe2, 0x29, 0xe5, 0x06, 0x61, 0xd0, 0xda, 0x1c,
                                 0x7d, 0xb3, 0x9d, 0xd3, 0x07, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
                                 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x06};

/** Decodes a key or a commitment without its torsion, which Carrot outputs may not have. False for none, and for the identity. */
bool decodeForTree(Point* point, const u8* bytes, u8 kind) {
  if (!decode(point, bytes)) return false;
  if (kind == CARROT) return !isIdentity(*point) && isInPrimeSubgroup(*point);
  *point = timesEight(multiply(INVERSE_OF_8, *point));
  return !isIdentity(*point);
}

/** Commitments of a batch, of which coinbase outputs and those of amounts before RingCT share some. */
class Commitments {
 public:
  bool decode(Point* point, const u8* bytes, u8 kind) {
    std::string name(reinterpret_cast<const char*>(bytes), 32);
    name.push_back(static_cast<char>(kind));
    const auto [at, isNew] = known_.try_emplace(std::move(name));
    if (isNew) at->second.isPoint = decodeForTree(&at->second.point, bytes, kind);
    *point = at->second.point;
    return at->second.isPoint;
  }

 private:
  struct Known {
    bool isPoint;
    Point point;
  };
  std::unordered_map<std::string, Known> known_;
};

/** Writes a point on Ed25519, and its coordinates on Wei25519, given 1/(X·Z·(Z - Y)). */
void writePoint(u8* encoding, u8* coordinates, const Point& p, const Field& inverse) {
  const Field ratio = (p.Z + p.Y) * p.Z * inverse;
  const Field inverseZ = p.X * sub(p.Z, p.Y) * inverse;
  encodeWithInverse(encoding, p, inverseZ);
  fieldToBytes(coordinates, ratio * p.X + A_OVER_3);
  fieldToBytes(coordinates + 32, WEI_ROOT * ratio * p.Z);
}

/** O, I and C of an output that has a leaf. */
struct ThreePoints {
  Point points[3];
};

void writeLeaf(u8* leaf, const ThreePoints& three, const Field inverses[3]) {
  for (int i = 0; i < 3; i++) {
    writePoint(leaf + 32 * i, leaf + 32 * (3 + 2 * i), three.points[i], inverses[i]);
  }
}

/** Replaces values by their inverses; false, with nothing done, if one is zero. */
bool invertFields(std::vector<Field>* values) {
  std::vector<Field> products;
  products.reserve(values->size());
  Field product = FIELD_ONE;
  for (const Field& value : *values) {
    products.push_back(product);
    product = product * value;
  }
  if (isZero(product)) return false;
  Field inverse = invert(product);
  for (size_t i = values->size(); i-- > 0;) {
    const Field own = inverse * products[i];
    inverse = inverse * (*values)[i];
    (*values)[i] = own;
  }
  return true;
}

bool pointsOf(ThreePoints* three, Commitments* commitments, const u8* output, u8 kind) {
  Point* points = three->points;
  if (!commitments->decode(&points[2], output + 32, kind)) return false;
  if (!decodeForTree(&points[0], output, kind)) return false;
  // The key is hashed as the chain has it.
  const u8* hash = output + 64;
  points[1] = kind == CARROT ? sum(timesEight(fromField(hash)), timesEight(fromField(hash + 32)))
                             : hashToPoint(output, 32);
  return true;
}

}  // namespace

bool makeLeaves(u8* leaves, u8* kinds, const u8* outputs, size_t count) {
  Commitments commitments;
  std::vector<ThreePoints> made;
  std::vector<Field> inverses;
  made.reserve(count);
  inverses.reserve(3 * count);
  for (size_t i = 0; i < count; i++) {
    ThreePoints three;
    const bool hasLeaf = pointsOf(&three, &commitments, outputs + TREE_OUTPUT_BYTES * i, kinds[i]);
    kinds[i] = hasLeaf ? HAS_LEAF : HAS_NO_LEAF;
    if (!hasLeaf) continue;
    made.push_back(three);
    for (const Point& p : three.points) inverses.push_back(p.X * p.Z * sub(p.Z, p.Y));
  }
  if (!invertFields(&inverses)) return false;
  for (size_t i = 0, at = 0; i < count; i++) {
    if (kinds[i] == HAS_NO_LEAF) continue;
    writeLeaf(leaves + TREE_LEAF_BYTES * i, made[at], &inverses[3 * at]);
    at++;
  }
  return true;
}

}  // namespace monero
