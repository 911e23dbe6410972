// The generators of a curve, derived when they are first needed and shared by all threads, and tables of their multiples.
#pragma once

#include <memory>
#include <vector>

#include "cycle_curve.h"

namespace monero {

/** Digits of scalars for the tables have so many bits: with 26 tables, a digit needs one addition and no doubling. */
constexpr int TABLE_WIDTH = 10;
constexpr int TABLE_WINDOWS = 255 / TABLE_WIDTH + 1;
/** So many pairs of G and H have tables: 3.4 MB for each curve. They are enough for four inputs. */
constexpr size_t MAX_TABLE_PAIRS = 1024;

/** Never changed after it was made. */
template <typename Curve>
struct FixedBases {
  CycleAffine<Curve> g, h;
  std::vector<CycleAffine<Curve>> G, H;
  /** For each window, 2^(TABLE_WIDTH·window) times G_0, H_0, G_1, H_1, … */
  std::vector<CycleAffine<Curve>> tables[TABLE_WINDOWS];

  size_t pairs() const { return G.size(); }
  size_t tablePairs() const { return tables[0].size() / 2; }
};

/** At least `pairs` of G and H, and tables for as many of them as have some. */
template <typename Curve>
std::shared_ptr<const FixedBases<Curve>> fixedBases(size_t pairs);

/** Derives a generator by its name, such as "Monero Selene G 0". */
template <typename Curve>
CycleAffine<Curve> deriveGenerator(const char* suffix);

}  // namespace monero
