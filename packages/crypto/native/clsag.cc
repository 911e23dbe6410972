// CLSAG verification, portable (upstream `verRctCLSAGSimple`; Goodell, Noether, RandomRun, "Concise
// linkable ring signatures and forgery against adversarial keys"). For each ring member
//
//   L = s·G + (c·muP)·P + (c·muC)·(C - pseudoOut)
//   R = s·Hp(P) + (c·muP)·I + (c·muC)·8D
//
// and the next challenge c hashes both. With torsion in P, C or I the factors count as integers
// below l, so they are reduced before they multiply and are never folded together. 8D has no
// torsion; if I has none either, R = s·Hp(P) + c·W with W = muP·I + muC·8D, made once.
#include "clsag.h"

#include <algorithm>
#include <new>
#include <vector>

#include "clsag_hash.h"
#include "lanes.h"
#include "multiply.h"
#include "tables.h"

namespace monero {

namespace {

constexpr int W_WIDTH = 7;
constexpr int W_ENTRIES = 1 << (W_WIDTH - 2);

/** The key image's share in R: one table of W, or two of its parts where I has torsion. */
struct KeyImagePart {
  bool folded;
  Affine W[W_ENTRIES];
  OddMultiples keyImage, D8;

  void prepare(const Point& I, const Point& eightD, const Scalar& muP, const Scalar& muC) {
    fillOddMultiples(&keyImage, I);
    fillOddMultiples(&D8, eightD);
    folded = isIdentity(sumOfMultiples({nafTerm(ORDER_BYTES, keyImage)}));
    if (!folded) return;
    u8 muPBytes[32], muCBytes[32];
    scalarToBytes(muPBytes, muP);
    scalarToBytes(muCBytes, muC);
    Point scratch[W_ENTRIES];
    const Point w = sumOfMultiples({nafTerm(muPBytes, keyImage), nafTerm(muCBytes, D8)});
    fillAffineOddMultiples(W, W_ENTRIES, w, scratch);
  }
};

/** The scalars of one ring member as bytes. */
struct RoundFactors {
  const u8* s;
  u8 challenge[32], key[32], commitment[32];
};

Point leftPoint(const RoundFactors& factors, const Point& key, const Point& commitment) {
  OddMultiples keyTable, commitmentTable;
  fillOddMultiples(&keyTable, key);
  fillOddMultiples(&commitmentTable, commitment);
  return sumOfMultiples({nafTerm(factors.s, baseTables().G, FIXED_WIDTH),
                         nafTerm(factors.key, keyTable),
                         nafTerm(factors.commitment, commitmentTable)});
}

Point rightPoint(const RoundFactors& factors, const Point& hashedKey, const KeyImagePart& part) {
  OddMultiples table;
  fillOddMultiples(&table, hashedKey);
  if (part.folded) {
    return sumOfMultiples({nafTerm(factors.s, table), nafTerm(factors.challenge, part.W, W_WIDTH)});
  }
  return sumOfMultiples({nafTerm(factors.s, table), nafTerm(factors.key, part.keyImage),
                         nafTerm(factors.commitment, part.D8)});
}

}  // namespace

bool verifyClsag(const Clsag& proof) {
  Point pseudoOut, keyImage, D;
  if (!hasCanonicalScalars(proof) || !decode(&pseudoOut, proof.pseudoOut) ||
      !decode(&keyImage, proof.keyImage) || !decode(&D, proof.D)) {
    return false;
  }
  const Point D8 = timesEight(D);
  if (isIdentity(keyImage) || isIdentity(D8)) return false;

  const Scalar muP = aggregationCoefficient("CLSAG_agg_0", proof);
  const Scalar muC = aggregationCoefficient("CLSAG_agg_1", proof);
  const Keccak prefix = roundPrefix(proof);
  const Cached offset = toCached(pseudoOut);
  KeyImagePart keyImagePart;
  keyImagePart.prepare(keyImage, D8, muP, muC);

  const Scalar c1 = scalarFromBytes(proof.c1);
  Scalar challenge = c1;
  for (size_t i = 0; i < proof.ring; i++) {
    const u8* keyBytes = proof.keys + 32 * i;
    Point key, commitment;
    if (!decode(&key, keyBytes) || !decode(&commitment, proof.commitments + 32 * i)) return false;
    subtract<WithT::yes>(&commitment, &commitment, &offset);

    RoundFactors factors;
    factors.s = proof.s + 32 * i;
    scalarToBytes(factors.challenge, challenge);
    scalarToBytes(factors.key, challenge * muP);
    scalarToBytes(factors.commitment, challenge * muC);
    const Point left = leftPoint(factors, key, commitment);
    const Point right = rightPoint(factors, hashToPoint(keyBytes, 32), keyImagePart);

    u8 pair[64];
    encodePair(pair, pair + 32, left, right);
    Keccak hash = prefix;
    hash.add(pair, 64);
    challenge = finishToScalar(hash);
    if (isZero(challenge)) return false;
  }
  return isEqual(challenge, c1);
}

namespace {

/** Of `left` signatures over rings of one size, how many to verify together in these lanes. */
size_t lockstepSize(size_t left, size_t lanes) {
  // In eight lanes, a group with a free place takes no longer than its half and the rest.
  const size_t free = lanes > 4 ? 1 : 0;
  for (size_t size = lanes; size > 2; size /= 2) {
    if (left + free >= size) return left < size ? left : size;
  }
  return left < 2 ? left : 2;
}

void verifyInLockstep(const Clsag* proofs, const std::vector<size_t>& order, u8* answers,
                      const VectorCode& code) {
  std::vector<const Clsag*> group(code.lanes);
  std::vector<Verdict> verdicts(code.lanes);
  for (size_t first = 0; first < order.size();) {
    size_t end = first;
    while (end < order.size() && proofs[order[end]].ring == proofs[order[first]].ring) end++;
    const size_t count = lockstepSize(end - first, code.lanes);
    for (size_t i = 0; i < count; i++) group[i] = &proofs[order[first + i]];
    if (!code.verifyClsags(group.data(), count, verdicts.data())) throw std::bad_alloc();
    for (size_t i = 0; i < count; i++) {
      const bool open = verdicts[i] == Verdict::open;
      const bool holds = open ? verifyClsag(*group[i]) : verdicts[i] == Verdict::accepted;
      answers[order[first + i]] = holds ? 1 : 0;
    }
    first += count;
  }
}

}  // namespace

void verifyClsagBatch(const Clsag* proofs, size_t count, u8* answers, const VectorCode* code) {
  if (code == nullptr) {
    for (size_t i = 0; i < count; i++) answers[i] = verifyClsag(proofs[i]) ? 1 : 0;
    return;
  }
  std::vector<size_t> order(count);
  for (size_t i = 0; i < count; i++) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return proofs[a].ring < proofs[b].ring; });
  verifyInLockstep(proofs, order, answers, *code);
}

}  // namespace monero
