#include "tree_nodes.h"

#include "../../crypto/native/msm.h"
#include "buckets.h"
#include "fixed_bases.h"

namespace monero {

namespace {

/** Up to so many scalars, narrow digits cost fewer additions: twice as many points go into buckets, of which there are 32 and not 512. */
constexpr size_t FEW_SCALARS = 64;

/** 32 bytes, little-endian. */
struct ScalarOfNode {
  u8 bytes[32];
};

/**
 * Adds Σ scalars[k]·G_(offset+k), with Parts digits for each window of a table. Digits of the same part share their buckets, as the
 * tables tell the windows apart.
 */
template <typename Curve, int Parts>
void addMultiples(CycleSum<Curve>* node, const FixedBases<Curve>& bases, size_t offset,
                  const std::vector<ScalarOfNode>& scalars) {
  constexpr int WIDTH = TABLE_WIDTH / Parts, DIGITS = Parts * TABLE_WINDOWS;
  static_assert(WIDTH * Parts == TABLE_WIDTH && WIDTH * (DIGITS - 1) < 256, "whole digits");
  std::vector<Buckets<Curve>> sums(Parts, Buckets<Curve>(WIDTH));
  for (size_t k = 0; k < scalars.size(); k++) {
    int16_t digits[DIGITS];
    signedDigits(digits, 1, scalars[k].bytes, WIDTH, DIGITS);
    for (int i = 0; i < DIGITS; i++) {
      // Tables have G and H in turns.
      sums[i % Parts].add(bases.tables[i / Parts][2 * (offset + k)], digits[i]);
    }
  }
  auto total = CycleSum<Curve>::identity();
  for (int part = Parts - 1; part >= 0; part--) {
    for (int i = 0; i < WIDTH && !isIdentity(total); i++) doublePoint(&total);
    addPoint(&total, sums[part].total());
  }
  addPoint(node, total);
}

bool isNothing(const u8* bytes) {
  return (load64(bytes) | load64(bytes + 8) | load64(bytes + 16) | load64(bytes + 24)) == 0;
}

template <typename Curve>
bool decodeNode(CycleSum<Curve>* sum, const u8* bytes) {
  if (isNothing(bytes)) {
    *sum = CycleSum<Curve>::identity();
    return true;
  }
  CycleAffine<Curve> point;
  if (!decodePoint(&point, bytes)) return false;
  *sum = toSum(point);
  return true;
}

/** Reads the children of a node, the first less what it was before. */
template <typename Prime>
bool readScalars(std::vector<ScalarOfNode>* scalars, const TreeNode& node) {
  scalars->resize(node.count);
  for (size_t k = 0; k < node.count; k++) {
    auto scalar = elementFromBytes<Prime>(node.children + 32 * k);
    if (!isReduced<Prime>(scalar.word)) return false;
    if (k == 0) {
      const auto before = elementFromBytes<Prime>(node.childBefore);
      if (!isReduced<Prime>(before.word)) return false;
      scalar = scalar - before;
    }
    elementToBytes((*scalars)[k].bytes, scalar);
  }
  return true;
}

template <typename Curve>
void writeNode(u8* bytes, const CycleAffine<Curve>& point) {
  elementToBytes(bytes, point.x);
  bytes[31] |= static_cast<u8>(isOdd(point.y) << 7);
}

}  // namespace

template <typename Curve>
bool growNodes(const std::vector<TreeNode>& nodes) {
  const auto bases = fixedBases<Curve>(MOST_CHILDREN<Curve>);
  // Those that are not the identity, which has no affine form.
  std::vector<CycleSum<Curve>> sums;
  std::vector<u8*> places, identities;
  std::vector<ScalarOfNode> scalars;
  for (const TreeNode& node : nodes) {
    CycleSum<Curve> sum;
    if (!decodeNode(&sum, node.node)) return false;
    if (!readScalars<typename Curve::Scalar>(&scalars, node)) return false;
    if (node.count > FEW_SCALARS)
      addMultiples<Curve, 1>(&sum, *bases, node.offset, scalars);
    else
      addMultiples<Curve, 2>(&sum, *bases, node.offset, scalars);
    if (isIdentity(sum)) {
      identities.push_back(node.node);
      continue;
    }
    sums.push_back(sum);
    places.push_back(node.node);
  }
  std::vector<CycleAffine<Curve>> affine(sums.size());
  toAffine(affine.data(), sums);
  for (size_t i = 0; i < places.size(); i++) writeNode(places[i], affine[i]);
  for (u8* identity : identities) std::memset(identity, 0, 32);
  return true;
}

void prepareTree() {
  fixedBases<Helios>(MOST_CHILDREN<Helios>);
  fixedBases<Selene>(MOST_CHILDREN<Selene>);
}

template bool growNodes<Helios>(const std::vector<TreeNode>&);
template bool growNodes<Selene>(const std::vector<TreeNode>&);

}  // namespace monero
