// N-API functions over the arithmetic of proofs. Everything is computed on the calling thread.
//
//   decodeCyclePoint(curve, bytes32, out64): boolean     decodeEdPoint(bytes32, out64): boolean
//   cycleSum(curve, points, scalars, fixedScalars, out64): boolean
//   edSum(points, scalars, out64)
//   addConstraints(curve, gates, state, program, values, powers)
//   claimLine(field, a32, points128, bits, multiples, out): boolean
//   squareRoot(field, bytes32, out32): boolean
//
// `curve` is 0 for Helios and 1 for Selene, `field` likewise that of their coordinates; points of 64 bytes are x and y. Scalars have
// 255 bits at most, those of edSum 253. Wrong arguments throw a TypeError: they are mistakes
// of the caller, never the result of hostile bytes.
#include "../../crypto/native/node_arguments.h"

#include "claim_line.h"
#include "constraint_weights.h"
#include "cycle_sum.h"
#include "ed25519.h"
#include "tree_binding.h"

namespace {

using monero::boolean;
using monero::Bytes;
using monero::define;
using monero::fail;
using monero::NodeArguments;
using monero::u8;

enum Curve : uint32_t { HELIOS = 0, SELENE = 1 };

template <typename Curve>
bool decodeTo(u8* out, const u8* bytes) {
  monero::CycleAffine<Curve> point;
  if (!monero::decodePoint(&point, bytes)) return false;
  monero::elementToBytes(out, point.x);
  monero::elementToBytes(out + 32, point.y);
  return true;
}

napi_value DecodeCyclePoint(napi_env env, napi_callback_info info) {
  NodeArguments args(env, info);
  const uint32_t curve = args.number(0);
  const Bytes bytes = args.bytes(1), out = args.bytes(2);
  if (!args.ok || curve > SELENE || bytes.size != 32 || out.size != 64) {
    return fail(env, "decodeCyclePoint(curve, bytes, out): wrong arguments");
  }
  return boolean(env, curve == HELIOS ? decodeTo<monero::Helios>(out.data, bytes.data)
                                      : decodeTo<monero::Selene>(out.data, bytes.data));
}

napi_value DecodeEdPoint(napi_env env, napi_callback_info info) {
  NodeArguments args(env, info);
  const Bytes bytes = args.bytes(0), out = args.bytes(1);
  if (!args.ok || bytes.size != 32 || out.size != 64) {
    return fail(env, "decodeEdPoint(bytes, out): wrong arguments");
  }
  return boolean(env, monero::decodePrimePoint(out.data, bytes.data));
}

/** More fixed generators than a proof of 128 inputs needs are a mistake. */
constexpr size_t MOST_PAIRS = 65536;
/** Scalars of Helios and Selene, and those of Ed25519, are below these powers of two: the sums have digits for no higher bit. */
constexpr int CYCLE_BITS = 255, ED_BITS = 253;

/** Whether all scalars are below 2^bits. */
bool areBelow(int bits, const Bytes& scalars) {
  for (size_t last = 31; last < scalars.size; last += 32) {
    if (scalars.data[last] >> (bits - 248) != 0) return false;
  }
  return true;
}

napi_value SumOnCycle(napi_env env, napi_callback_info info) {
  NodeArguments args(env, info);
  const uint32_t curve = args.number(0);
  const Bytes points = args.bytes(1), scalars = args.bytes(2), fixed = args.bytes(3);
  const Bytes out = args.bytes(4);
  const size_t count = scalars.size / 32;
  if (!args.ok || curve > SELENE || scalars.size != 32 * count || points.size != 64 * count ||
      fixed.size < 64 || fixed.size % 64 != 0 || fixed.size / 64 - 1 > MOST_PAIRS ||
      out.size != 64 || !areBelow(CYCLE_BITS, scalars) || !areBelow(CYCLE_BITS, fixed)) {
    return fail(env, "cycleSum(curve, points, scalars, fixedScalars, out): wrong arguments");
  }
  const monero::CycleTerms terms = {points.data, scalars.data, count, fixed.data,
                                    fixed.size / 64 - 1};
  return boolean(env, curve == HELIOS ? monero::sumOfMultiples<monero::Helios>(out.data, terms)
                                      : monero::sumOfMultiples<monero::Selene>(out.data, terms));
}

napi_value SumOnEd(napi_env env, napi_callback_info info) {
  NodeArguments args(env, info);
  const Bytes points = args.bytes(0), scalars = args.bytes(1), out = args.bytes(2);
  const size_t count = scalars.size / 32;
  if (!args.ok || scalars.size != 32 * count || points.size != 64 * count || out.size != 64 ||
      !areBelow(ED_BITS, scalars)) {
    return fail(env, "edSum(points, scalars, out): wrong arguments");
  }
  monero::sumOfEdMultiples(out.data, points.data, scalars.data, count);
  return nullptr;
}

/** More gates than a proof of 128 inputs has are a mistake. */
constexpr size_t MOST_GATES = 65536;

napi_value AddConstraints(napi_env env, napi_callback_info info) {
  NodeArguments args(env, info);
  const uint32_t curve = args.number(0);
  const size_t gates = args.number(1), head = monero::STATE_HEAD + 4 * gates;
  const Bytes state = args.bytes(2), program = args.words(3), values = args.bytes(4);
  const Bytes powers = args.bytes(5);
  if (!args.ok || curve > SELENE || gates > MOST_GATES || state.size % 32 != 0 ||
      state.size / 32 < head || values.size % 32 != 0 || powers.size % 32 != 0 ||
      powers.size == 0) {
    return fail(env, "addConstraints(curve, gates, …): wrong arguments");
  }
  const monero::ConstraintProgram constraints = {reinterpret_cast<const uint32_t*>(program.data),
                                                 program.size / 4,
                                                 values,
                                                 powers,
                                                 gates,
                                                 state.size / 32 - head};
  // Scalars of a curve are modulo the prime of the other.
  const bool isRight = curve == HELIOS ? monero::addConstraints<monero::PrimeQ>(state, constraints)
                                       : monero::addConstraints<monero::PrimeP>(state, constraints);
  return isRight ? nullptr : fail(env, "addConstraints: no program");
}

/** More bits than a scalar has, and more multiples than all generators have, are a mistake. */
constexpr size_t MOST_CLAIM_BITS = 256, MOST_MULTIPLES = 4096;

napi_value ClaimLine(napi_env env, napi_callback_info info) {
  NodeArguments args(env, info);
  const uint32_t field = args.number(0);
  const Bytes a = args.bytes(1), points = args.bytes(2);
  const size_t bits = args.number(3);
  const Bytes multiples = args.bytes(4), out = args.bytes(5);
  const size_t count = multiples.size / 64;
  if (!args.ok || field > SELENE || a.size != 32 || points.size != 128 ||
      bits < monero::FEWEST_CLAIM_BITS || bits > MOST_CLAIM_BITS || multiples.size != 64 * count ||
      count > MOST_MULTIPLES || out.size != 32 * monero::claimWeights(bits, count)) {
    return fail(env, "claimLine(field, a, points, …): wrong arguments");
  }
  const monero::ClaimLine line = {a.data, points.data, bits, multiples.data, count};
  return boolean(env, field == HELIOS ? monero::weighClaims<monero::PrimeP>(out.data, line)
                                      : monero::weighClaims<monero::PrimeQ>(out.data, line));
}

napi_value SquareRoot(napi_env env, napi_callback_info info) {
  NodeArguments args(env, info);
  const uint32_t field = args.number(0);
  const Bytes bytes = args.bytes(1), out = args.bytes(2);
  if (!args.ok || field > SELENE || bytes.size != 32 || out.size != 32) {
    return fail(env, "squareRoot(field, bytes, out): wrong arguments");
  }
  return boolean(env, field == HELIOS ? monero::rootOfBytes<monero::PrimeP>(out.data, bytes.data)
                                      : monero::rootOfBytes<monero::PrimeQ>(out.data, bytes.data));
}

}  // namespace

NAPI_MODULE_INIT() {
  define<DecodeCyclePoint>(env, exports, "decodeCyclePoint");
  define<DecodeEdPoint>(env, exports, "decodeEdPoint");
  define<SumOnCycle>(env, exports, "cycleSum");
  define<SumOnEd>(env, exports, "edSum");
  define<AddConstraints>(env, exports, "addConstraints");
  define<ClaimLine>(env, exports, "claimLine");
  define<SquareRoot>(env, exports, "squareRoot");
  monero::defineTree(env, exports);
  return exports;
}
