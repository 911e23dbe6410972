#include "fixed_bases.h"

#include <mutex>
#include <string>

#include "../../crypto/native/keccak.h"

namespace monero {

namespace {

constexpr size_t FEWEST_PAIRS = 128;

template <typename Curve>
CycleAffine<Curve> deriveIndexed(const char* letter, size_t index) {
  return deriveGenerator<Curve>((std::string(letter) + " " + std::to_string(index)).c_str());
}

/** Appends tables for the pairs that have none. */
template <typename Curve>
void growTables(FixedBases<Curve>* bases) {
  const size_t from = bases->tablePairs();
  const size_t to = bases->pairs() < MAX_TABLE_PAIRS ? bases->pairs() : MAX_TABLE_PAIRS;
  if (from >= to) return;
  std::vector<CycleSum<Curve>> sums;
  sums.reserve(2 * (to - from));
  for (size_t i = from; i < to; i++) {
    sums.push_back(toSum(bases->G[i]));
    sums.push_back(toSum(bases->H[i]));
  }
  for (int window = 0; window < TABLE_WINDOWS; window++) {
    if (window > 0) {
      for (auto& sum : sums) {
        for (int i = 0; i < TABLE_WIDTH; i++) doublePoint(&sum);
      }
    }
    bases->tables[window].resize(2 * to);
    toAffine(&bases->tables[window][2 * from], sums);
  }
}

/** Returns more bases than before, which may be none. */
template <typename Curve>
std::shared_ptr<const FixedBases<Curve>> grown(const FixedBases<Curve>* before, size_t pairs) {
  auto bases = before == nullptr ? std::make_shared<FixedBases<Curve>>()
                                 : std::make_shared<FixedBases<Curve>>(*before);
  if (before == nullptr) {
    bases->g = deriveGenerator<Curve>("G");
    bases->h = deriveGenerator<Curve>("H");
  }
  bases->G.reserve(pairs);
  bases->H.reserve(pairs);
  for (size_t i = bases->pairs(); i < pairs; i++) {
    bases->G.push_back(deriveIndexed<Curve>("G", i));
    bases->H.push_back(deriveIndexed<Curve>("H", i));
  }
  growTables(bases.get());
  return bases;
}

}  // namespace

template <typename Curve>
CycleAffine<Curve> deriveGenerator(const char* suffix) {
  const std::string name = std::string("Monero ") + Curve::NAME + " " + suffix;
  u8 hash[32];
  keccak256(hash, reinterpret_cast<const u8*>(name.data()), name.size());
  CycleAffine<Curve> point;
  while (!decodePoint(&point, hash)) {
    u8 next[32];
    keccak256(next, hash, sizeof hash);
    std::memcpy(hash, next, sizeof hash);
  }
  return point;
}

template <typename Curve>
std::shared_ptr<const FixedBases<Curve>> fixedBases(size_t pairs) {
  // Growing may take seconds. Threads for which the kept bases are enough do not wait for it, so it has a lock of its own.
  static std::mutex growing, reading;
  static std::shared_ptr<const FixedBases<Curve>> kept;
  const auto read = [] {
    const std::lock_guard<std::mutex> lock(reading);
    return kept;
  };
  auto bases = read();
  if (bases != nullptr && bases->pairs() >= pairs) return bases;
  const std::lock_guard<std::mutex> lock(growing);
  // Another thread may have made them meanwhile.
  bases = read();
  if (bases != nullptr && bases->pairs() >= pairs) return bases;
  size_t rounded = FEWEST_PAIRS;
  while (rounded < pairs) rounded *= 2;
  bases = grown(bases.get(), rounded);
  const std::lock_guard<std::mutex> publishing(reading);
  kept = bases;
  return bases;
}

template CycleAffine<Helios> deriveGenerator(const char*);
template CycleAffine<Selene> deriveGenerator(const char*);
template std::shared_ptr<const FixedBases<Helios>> fixedBases(size_t);
template std::shared_ptr<const FixedBases<Selene>> fixedBases(size_t);

}  // namespace monero
