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
// `packed` is written by src/native/pack*.ts and src/ownership; every length in it is checked again here. Wrong
// arguments throw a TypeError: they are mistakes of the caller, never the result of hostile bytes.
#include <node_api.h>

#include <exception>
#include <vector>

#include "bulletproof.h"
#include "bulletproof_plus.h"
#include "clsag.h"
#include "cpu.h"
#include "old_signatures.h"
#include "ownership.h"
#include "primitives.h"

namespace {

using monero::u64;
using monero::u8;

struct Bytes {
  u8* data;
  size_t size;
};

constexpr size_t MAX_ARGUMENTS = 5;

/** The arguments of a call; `ok` turns false at the first that is not what was asked for. */
struct Arguments {
  napi_env env;
  napi_value values[MAX_ARGUMENTS];
  bool ok;

  Arguments(napi_env e, napi_callback_info info) : env(e), ok(true) {
    size_t count = MAX_ARGUMENTS;
    // Missing arguments are filled with undefined.
    ok = napi_get_cb_info(env, info, &count, values, nullptr, nullptr) == napi_ok;
  }

  Bytes bytes(size_t index) {
    bool typed = false;
    napi_typedarray_type type;
    void* data = nullptr;
    size_t size = 0;
    if (!ok || napi_is_typedarray(env, values[index], &typed) != napi_ok || !typed ||
        napi_get_typedarray_info(env, values[index], &type, &size, &data, nullptr, nullptr) !=
            napi_ok ||
        type != napi_uint8_array) {
      ok = false;
      return {nullptr, 0};
    }
    return {static_cast<u8*>(data), data == nullptr ? 0 : size};
  }

  /** An array of exactly 32 bytes to write to. */
  u8* output(size_t index) {
    const Bytes out = bytes(index);
    if (out.size != 32) ok = false;
    return out.data;
  }

  u64 amount(size_t index) {
    u64 value = 0;
    bool lossless = false;
    if (!ok || napi_get_value_bigint_uint64(env, values[index], &value, &lossless) != napi_ok ||
        !lossless) {
      ok = false;
    }
    return value;
  }

  uint32_t number(size_t index) {
    uint32_t value = 0;
    if (!ok || napi_get_value_uint32(env, values[index], &value) != napi_ok) ok = false;
    return value;
  }

  /** The vector code of a path, null for the portable one; only what this machine can run is taken. */
  const monero::VectorCode* vectorCode(size_t index) {
    const auto path = static_cast<monero::Path>(number(index));
    if (ok && !monero::isAvailable(path)) ok = false;
    return ok ? monero::vectorCode(path) : nullptr;
  }
};

napi_value fail(napi_env env, const char* message) {
  napi_throw_type_error(env, nullptr, message);
  return nullptr;
}

napi_value boolean(napi_env env, bool value) {
  napi_value result = nullptr;
  napi_get_boolean(env, value, &result);
  return result;
}

/** Takes fields from packed bytes; `ok` turns false instead of reading past the end. */
struct Reader {
  Bytes bytes;
  size_t offset = 0;
  bool ok = true;

  bool atEnd() const { return offset == bytes.size; }

  /** `count` elements of 32 bytes. */
  const u8* elements(size_t count) {
    if (!ok || count > (bytes.size - offset) / 32) {
      ok = false;
      return nullptr;
    }
    const u8* result = bytes.data + offset;
    offset += 32 * count;
    return result;
  }

  size_t number() {
    if (!ok || bytes.size - offset < 4) {
      ok = false;
      return 0;
    }
    const u8* b = bytes.data + offset;
    offset += 4;
    return b[0] | b[1] << 8 | b[2] << 16 | static_cast<size_t>(b[3]) << 24;
  }
};

monero::Clsag readClsag(Reader* reader) {
  monero::Clsag proof;
  proof.ring = reader->number();
  if (proof.ring == 0) reader->ok = false;
  proof.message = reader->elements(1);
  proof.pseudoOut = reader->elements(1);
  proof.keyImage = reader->elements(1);
  proof.D = reader->elements(1);
  proof.c1 = reader->elements(1);
  proof.keys = reader->elements(proof.ring);
  proof.commitments = reader->elements(proof.ring);
  proof.s = reader->elements(proof.ring);
  return proof;
}

monero::RangeProof readRangeProof(Reader* reader) {
  monero::RangeProof proof;
  proof.outputs = reader->number();
  proof.rounds = reader->number();
  if (!monero::hasValidShape(proof.outputs, proof.rounds)) reader->ok = false;
  proof.A = reader->elements(1);
  proof.A1 = reader->elements(1);
  proof.B = reader->elements(1);
  proof.r1 = reader->elements(1);
  proof.s1 = reader->elements(1);
  proof.d1 = reader->elements(1);
  proof.commitments = reader->elements(proof.outputs);
  proof.L = reader->elements(proof.rounds);
  proof.R = reader->elements(proof.rounds);
  return proof;
}

monero::RingSignature readRingSignature(Reader* reader) {
  monero::RingSignature proof;
  proof.ring = reader->number();
  proof.message = reader->elements(1);
  proof.keyImage = reader->elements(1);
  proof.keys = reader->elements(proof.ring);
  proof.signatures = reader->elements(2 * proof.ring);
  return proof;
}

monero::Mlsag readMlsag(Reader* reader) {
  monero::Mlsag proof;
  proof.ring = reader->number();
  proof.inputs = reader->number();
  proof.offsetCount = reader->number();
  if (proof.ring < 2 || proof.inputs < 1) reader->ok = false;
  proof.fee = reader->number();
  proof.fee |= static_cast<u64>(reader->number()) << 32;
  proof.message = reader->elements(1);
  proof.cc = reader->elements(1);
  proof.keyImages = reader->elements(proof.inputs);
  proof.offsets = reader->elements(proof.offsetCount);
  // The numbers have 32 bits each, so the products have 64.
  proof.keys = reader->elements(proof.ring * proof.inputs);
  proof.commitments = reader->elements(proof.ring * proof.inputs);
  proof.ss = reader->elements(proof.ring * (proof.inputs + 1));
  return proof;
}

monero::Borromean readBorromean(Reader* reader) {
  monero::Borromean proof;
  proof.commitment = reader->elements(1);
  proof.ee = reader->elements(1);
  proof.s0 = reader->elements(monero::BORROMEAN_BITS);
  proof.s1 = reader->elements(monero::BORROMEAN_BITS);
  proof.Ci = reader->elements(monero::BORROMEAN_BITS);
  return proof;
}

monero::OldRangeProof readOldRangeProof(Reader* reader) {
  monero::OldRangeProof proof;
  proof.outputs = reader->number();
  proof.rounds = reader->number();
  if (!monero::hasValidShape(proof.outputs, proof.rounds)) reader->ok = false;
  for (const u8** field : {&proof.A, &proof.S, &proof.T1, &proof.T2, &proof.taux, &proof.mu,
                           &proof.a, &proof.b, &proof.t}) {
    *field = reader->elements(1);
  }
  proof.commitments = reader->elements(proof.outputs);
  proof.L = reader->elements(proof.rounds);
  proof.R = reader->elements(proof.rounds);
  return proof;
}

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

/** Reads as many proofs as the bytes hold. */
template <typename Proof>
std::vector<Proof> readAll(Reader* reader, Proof (*read)(Reader*)) {
  std::vector<Proof> proofs;
  while (reader->ok && !reader->atEnd()) proofs.push_back(read(reader));
  return proofs;
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
  const std::vector<Proof> proofs = readAll(&reader, READ);
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
  const std::vector<Proof> proofs = readAll(&reader, READ);
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

monero::Candidate readCandidate(Reader* reader) {
  monero::Candidate candidate;
  candidate.index = static_cast<uint32_t>(reader->number());
  candidate.viewTag = static_cast<uint32_t>(reader->number());
  if (candidate.viewTag > monero::NO_VIEW_TAG) reader->ok = false;
  candidate.derivation = reader->elements(1);
  candidate.key = reader->elements(1);
  return candidate;
}

monero::EncodedSum readSum(Reader* reader) {
  monero::EncodedSum sum;
  for (const u8** field : {&sum.a, &sum.A, &sum.b, &sum.B}) *field = reader->elements(1);
  return sum;
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
  const std::vector<Item> items = readAll(&reader, READ);
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

/** Keeps C++ exceptions (only memory can run out) on this side of the boundary. */
template <napi_callback Function>
napi_value guarded(napi_env env, napi_callback_info info) {
  try {
    return Function(env, info);
  } catch (const std::exception& error) {
    napi_throw_error(env, nullptr, error.what());
    return nullptr;
  }
}

template <napi_callback Function>
void define(napi_env env, napi_value exports, const char* name) {
  napi_value function;
  if (napi_create_function(env, name, NAPI_AUTO_LENGTH, guarded<Function>, nullptr, &function) ==
      napi_ok) {
    napi_set_named_property(env, exports, name, function);
  }
}

}  // namespace

NAPI_MODULE_INIT() {
  define<Keccak256>(env, exports, "keccak256");
  define<HashToPoint>(env, exports, "hashToPoint");
  define<IsPoint>(env, exports, "isPoint");
  define<IsValidKeyImage>(env, exports, "isValidKeyImage");
  define<CommitToAmount>(env, exports, "commitToAmount");
  define<VerifyBalance>(env, exports, "verifyBalance");
  define<VerifyEach<monero::Clsag, readClsag, monero::verifyClsagBatch>>(env, exports,
                                                                         "verifyClsag");
  define<VerifyAll<monero::RangeProof, readRangeProof, 32, monero::verifyBulletproofPlus>>(
      env, exports, "verifyBulletproofPlus");
  define<VerifyEach<monero::RingSignature, readRingSignature, monero::verifyRingSignatures>>(
      env, exports, "verifyRingSignature");
  define<VerifyEach<monero::Mlsag, readMlsag, monero::verifyMlsags>>(env, exports, "verifyMlsag");
  define<VerifyEach<monero::Borromean, readBorromean, monero::verifyBorromeans>>(env, exports,
                                                                                 "verifyBorromean");
  define<VerifyAll<monero::OldRangeProof, readOldRangeProof, 64, monero::verifyBulletproof>>(
      env, exports, "verifyBulletproof");
  define<KeyDerivations>(env, exports, "keyDerivations");
  define<ComputeEach<monero::Candidate, readCandidate, monero::spendKeys>>(env, exports,
                                                                           "spendKeys");
  define<ComputeEach<monero::EncodedSum, readSum, monero::addMultiples>>(env, exports,
                                                                         "addMultiples");
  define<HasPath>(env, exports, "hasPath");
  return exports;
}
