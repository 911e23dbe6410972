#include "cycle_sum.h"

#include "../../crypto/native/msm.h"
#include "buckets.h"
#include "fixed_bases.h"

namespace monero {

namespace {

/** The scalars have this many bits at most. */
constexpr int CYCLE_SCALAR_BITS = 255;
// Multiplications that an addition takes: of an affine point to a sum, and of two sums.
constexpr size_t MIXED_COST = 10;
constexpr size_t FULL_COST = 14;

constexpr int windowsOf(int width) { return CYCLE_SCALAR_BITS / width + 1; }

/** The window width with the fewest multiplications for `count` points. */
int bestWidth(size_t count) {
  int best = 3;
  size_t bestCost = SIZE_MAX;
  for (int width = 3; width <= 13; width++) {
    const size_t buckets = size_t{1} << (width - 1);
    const size_t cost = windowsOf(width) * (MIXED_COST * count + 2 * FULL_COST * buckets);
    if (cost < bestCost) best = width, bestCost = cost;
  }
  return best;
}

/** Points that have no tables, for Pippenger's method. */
template <typename Curve>
class Loose {
 public:
  explicit Loose(size_t most) {
    points_.reserve(most);
    scalars_.reserve(most);
  }

  void add(const CycleAffine<Curve>& point, const u8* scalar) {
    points_.push_back(point);
    scalars_.push_back(scalar);
  }

  CycleSum<Curve> total() const {
    const size_t count = points_.size();
    const int width = bestWidth(count), windows = windowsOf(width);
    std::vector<int16_t> digits(count * windows);
    for (size_t i = 0; i < count; i++) {
      signedDigits(&digits[i], count, scalars_[i], width, windows);
    }
    auto total = CycleSum<Curve>::identity();
    Buckets<Curve> buckets(width);
    for (int window = windows - 1; window >= 0; window--) {
      for (int i = 0; i < width; i++) doublePoint(&total);
      buckets.clear();
      const int16_t* row = &digits[window * count];
      for (size_t i = 0; i < count; i++) buckets.add(points_[i], row[i]);
      addPoint(&total, buckets.total());
    }
    return total;
  }

 private:
  std::vector<CycleAffine<Curve>> points_;
  std::vector<const u8*> scalars_;
};

/** The sum for the first `pairs` of G and H, from their tables. */
template <typename Curve>
CycleSum<Curve> sumFromTables(const FixedBases<Curve>& bases, const u8* G, const u8* H,
                              size_t pairs) {
  const size_t count = 2 * pairs;
  std::vector<int16_t> digits(count * TABLE_WINDOWS);
  for (size_t i = 0; i < pairs; i++) {
    signedDigits(&digits[2 * i], count, G + 32 * i, TABLE_WIDTH, TABLE_WINDOWS);
    signedDigits(&digits[2 * i + 1], count, H + 32 * i, TABLE_WIDTH, TABLE_WINDOWS);
  }
  Buckets<Curve> buckets(TABLE_WIDTH);
  for (int window = 0; window < TABLE_WINDOWS; window++) {
    const int16_t* row = &digits[window * count];
    const CycleAffine<Curve>* table = bases.tables[window].data();
    for (size_t i = 0; i < count; i++) buckets.add(table[i], row[i]);
  }
  return buckets.total();
}

}  // namespace

template <typename Curve>
bool sumOfMultiples(u8* out, const CycleTerms& terms) {
  using Prime = typename Curve::Coordinate;
  const auto bases = fixedBases<Curve>(terms.pairs);
  const u8* G = terms.fixedScalars + 64;
  const u8* H = G + 32 * terms.pairs;
  const size_t tablePairs = terms.pairs < bases->tablePairs() ? terms.pairs : bases->tablePairs();
  Loose<Curve> loose(terms.count + 2 + 2 * (terms.pairs - tablePairs));
  for (size_t i = 0; i < terms.count; i++) {
    const u8* point = terms.points + 64 * i;
    loose.add({elementFromBytes<Prime>(point), elementFromBytes<Prime>(point + 32)},
              terms.scalars + 32 * i);
  }
  loose.add(bases->g, terms.fixedScalars);
  loose.add(bases->h, terms.fixedScalars + 32);
  for (size_t i = tablePairs; i < terms.pairs; i++) {
    loose.add(bases->G[i], G + 32 * i);
    loose.add(bases->H[i], H + 32 * i);
  }
  auto total = loose.total();
  if (tablePairs > 0) addPoint(&total, sumFromTables(*bases, G, H, tablePairs));
  if (isIdentity(total)) return false;
  CycleAffine<Curve> affine;
  toAffine(&affine, std::vector<CycleSum<Curve>>{total});
  elementToBytes(out, affine.x);
  elementToBytes(out + 32, affine.y);
  return true;
}

template bool sumOfMultiples<Helios>(u8*, const CycleTerms&);
template bool sumOfMultiples<Selene>(u8*, const CycleTerms&);

}  // namespace monero
