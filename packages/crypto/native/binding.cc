// N-API functions over the verification code. Everything is computed on the calling thread.
//
//   keccak256(data, out32)                        hashToPoint(data, out32)
//   isPoint(bytes): boolean                       isValidKeyImage(bytes): boolean
//   commitToAmount(amount: bigint, out32)         verifyBalance(inputs, outputs, fee: bigint): boolean
//   verifyClsag(packed, answers, path)            verifyBulletproofPlus(packed, weights, path): boolean
//   verifyRingSignature(packed, answers, path)    verifyMlsag(packed, answers, path)
//   verifyBorromean(packed, answers, path)        verifyBulletproof(packed, weights, path): boolean
//   keyDerivations(secret32, points, derivations, answers, path)
//   spendKeys(packed, keys, answers, path)        addMultiples(packed, sums, answers, path)
//   hasPath(path): boolean
//
// `path` is a number of Path in cpu.h; one that this machine cannot run is refused.
// `packed` is written by src/native/pack*.ts and src/ownership, and read by packed.h. Wrong arguments throw a
// TypeError: they are mistakes of the caller, never the result of hostile bytes.
#include <vector>

#include "cpu.h"
#include "node_arguments.h"
#include "packed.h"
#include "primitives.h"

namespace {

using monero::boolean;
using monero::Bytes;
using monero::define;
using monero::fail;
using monero::Reader;
using monero::u64;
using monero::u8;

/** Arguments, of which one may name a path. */
struct Arguments : monero::NodeArguments {
  using NodeArguments::NodeArguments;

  /** The vector code of a path, null for the portable one; only what this machine can run is taken. */
  const monero::VectorCode* vectorCode(size_t index) {
    const auto path = static_cast<monero::Path>(number(index));
    if (ok && !monero::isAvailable(path)) ok = false;
    return ok ? monero::vectorCode(path) : nullptr;
  }
};

napi_value Keccak256(napi_env env, napi_callback_info info) {
  Arguments args(env, info);
  const Bytes data = args.bytes(0);
  u8* out = args.output(1);
  if (!args.ok) return fail(env, "keccak256(data, out): Uint8Arrays expected");
  monero::hashBytes(out, data.data, data.size);
  return nullptr;
}

napi_value HashToPoint(napi_env env, napi_callback_info info) {
  Arguments args(env, info);
  const Bytes data = args.bytes(0);
  u8* out = args.output(1);
  if (!args.ok) return fail(env, "hashToPoint(data, out): Uint8Arrays expected");
  monero::hashToPointBytes(out, data.data, data.size);
  return nullptr;
}

napi_value IsPoint(napi_env env, napi_callback_info info) {
  Arguments args(env, info);
  const Bytes point = args.bytes(0);
  if (!args.ok) return fail(env, "isPoint(bytes): Uint8Array expected");
  return boolean(env, point.size == 32 && monero::isPoint(point.data));
}

napi_value IsValidKeyImage(napi_env env, napi_callback_info info) {
  Arguments args(env, info);
  const Bytes point = args.bytes(0);
  if (!args.ok) return fail(env, "isValidKeyImage(bytes): Uint8Array expected");
  return boolean(env, point.size == 32 && monero::isValidKeyImage(point.data));
}

napi_value CommitToAmount(napi_env env, napi_callback_info info) {
  Arguments args(env, info);
  const u64 amount = args.amount(0);
  u8* out = args.output(1);
  if (!args.ok) return fail(env, "commitToAmount(amount, out): bigint and Uint8Array expected");
  monero::commitToAmount(out, amount);
  return nullptr;
}

napi_value VerifyBalance(napi_env env, napi_callback_info info) {
  Arguments args(env, info);
  const Bytes in = args.bytes(0), out = args.bytes(1);
  const u64 fee = args.amount(2);
  if (!args.ok || in.size % 32 != 0 || out.size % 32 != 0) {
    return fail(env, "verifyBalance(inputs, outputs, fee): packed points and bigint expected");
  }
  return boolean(env, monero::verifyBalance(in.data, in.size / 32, out.data, out.size / 32, fee));
}

/** (packed, answers, path): an answer for each proof. */
template <typename Proof, Proof (*READ)(Reader*),
          void (*VERIFY)(const Proof*, size_t, u8*, const monero::VectorCode*)>
napi_value VerifyEach(napi_env env, napi_callback_info info) {
  Arguments args(env, info);
  Reader reader{args.bytes(0)};
  const Bytes answers = args.bytes(1);
  const monero::VectorCode* code = args.vectorCode(2);
  if (!args.ok) return fail(env, "Uint8Array, Uint8Array and a path of this machine expected");
  const std::vector<Proof> proofs = monero::readAll(&reader, READ);
  if (!reader.ok || proofs.size() != answers.size) return fail(env, "lengths do not fit");
  VERIFY(proofs.data(), proofs.size(), answers.data, code);
  return nullptr;
}

/** (packed, weights, path): one answer for all proofs, which need WEIGHT bytes each. */
template <typename Proof, Proof (*READ)(Reader*), size_t WEIGHT,
          bool (*VERIFY)(const Proof*, size_t, const u8*, const monero::VectorCode*)>
napi_value VerifyAll(napi_env env, napi_callback_info info) {
  Arguments args(env, info);
  Reader reader{args.bytes(0)};
  const Bytes weights = args.bytes(1);
  const monero::VectorCode* code = args.vectorCode(2);
  if (!args.ok) return fail(env, "Uint8Array, Uint8Array and a path of this machine expected");
  const std::vector<Proof> proofs = monero::readAll(&reader, READ);
  if (!reader.ok || weights.size != WEIGHT * proofs.size()) return fail(env, "lengths do not fit");
  return boolean(env, VERIFY(proofs.data(), proofs.size(), weights.data, code));
}

static_assert(sizeof(monero::ScalarBytes) == 32, "results are written one after another");

/** (secret, points, derivations, answers, path): a derivation and an answer for each point. */
napi_value KeyDerivations(napi_env env, napi_callback_info info) {
  Arguments args(env, info);
  const Bytes secret = args.bytes(0), points = args.bytes(1), out = args.bytes(2);
  const Bytes answers = args.bytes(3);
  const monero::VectorCode* code = args.vectorCode(4);
  const size_t count = answers.size;
  if (!args.ok) return fail(env, "four Uint8Arrays and a path of this machine expected");
  if (secret.size != 32 || points.size != 32 * count || out.size != 32 * count) {
    return fail(env, "lengths do not fit");
  }
  if (!monero::isCanonicalScalar(secret.data)) return fail(env, "the secret is not below l");
  monero::keyDerivations(reinterpret_cast<monero::ScalarBytes*>(out.data), answers.data,
                         points.data, count, secret.data, code);
  return nullptr;
}

/** (packed, results, answers, path): 32 bytes and an answer for each item. */
template <typename Item, Item (*READ)(Reader*),
          void (*COMPUTE)(monero::ScalarBytes*, u8*, const Item*, size_t,
                          const monero::VectorCode*)>
napi_value ComputeEach(napi_env env, napi_callback_info info) {
  Arguments args(env, info);
  Reader reader{args.bytes(0)};
  const Bytes results = args.bytes(1), answers = args.bytes(2);
  const monero::VectorCode* code = args.vectorCode(3);
  if (!args.ok) return fail(env, "three Uint8Arrays and a path of this machine expected");
  const std::vector<Item> items = monero::readAll(&reader, READ);
  if (!reader.ok || items.size() != answers.size || results.size != 32 * items.size()) {
    return fail(env, "lengths do not fit");
  }
  COMPUTE(reinterpret_cast<monero::ScalarBytes*>(results.data), answers.data, items.data(),
          items.size(), code);
  return nullptr;
}

napi_value HasPath(napi_env env, napi_callback_info info) {
  Arguments args(env, info);
  const uint32_t path = args.number(0);
  if (!args.ok) return fail(env, "hasPath(path): number expected");
  return boolean(env, monero::isAvailable(static_cast<monero::Path>(path)));
}

}  // namespace

NAPI_MODULE_INIT() {
  define<Keccak256>(env, exports, "keccak256");
  define<HashToPoint>(env, exports, "hashToPoint");
  define<IsPoint>(env, exports, "isPoint");
  define<IsValidKeyImage>(env, exports, "isValidKeyImage");
  define<CommitToAmount>(env, exports, "commitToAmount");
  define<VerifyBalance>(env, exports, "verifyBalance");
  define<VerifyEach<monero::Clsag, monero::readClsag, monero::verifyClsagBatch>>(env, exports,
                                                                                 "verifyClsag");
  define<VerifyAll<monero::RangeProof, monero::readRangeProof, 32, monero::verifyBulletproofPlus>>(
      env, exports, "verifyBulletproofPlus");
  define<
      VerifyEach<monero::RingSignature, monero::readRingSignature, monero::verifyRingSignatures>>(
      env, exports, "verifyRingSignature");
  define<VerifyEach<monero::Mlsag, monero::readMlsag, monero::verifyMlsags>>(env, exports,
                                                                             "verifyMlsag");
  define<VerifyEach<monero::Borromean, monero::readBorromean, monero::verifyBorromeans>>(
      env, exports, "verifyBorromean");
  define<
      VerifyAll<monero::OldRangeProof, monero::readOldRangeProof, 64, monero::verifyBulletproof>>(
      env, exports, "verifyBulletproof");
  define<KeyDerivations>(env, exports, "keyDerivations");
  define<ComputeEach<monero::Candidate, monero::readCandidate, monero::spendKeys>>(env, exports,
                                                                                   "spendKeys");
  define<ComputeEach<monero::EncodedSum, monero::readSum, monero::addMultiples>>(env, exports,
                                                                                 "addMultiples");
  define<HasPath>(env, exports, "hasPath");
  return exports;
}
