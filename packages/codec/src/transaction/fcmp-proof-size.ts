// Sizes of a proof as functions of its inputs and layers. Source: `ipa_rows` and `proof_size` in monero-oxide,
// crypto/fcmps/src/lib.rs; Monero lists the lengths in tests/unit_tests/fcmp_pp.cpp.

/** Bytes of a field element, scalar or point. */
export const ELEMENT_BYTES = 32;

/** Most inputs of a transaction. Source: `FCMP_PLUS_PLUS_MAX_INPUTS` in monero, src/cryptonote_config.h. */
export const MAX_INPUTS = 128;
/** Most layers of the tree. Source: `FCMP_PLUS_PLUS_MAX_LAYERS` in monero, src/cryptonote_config.h. */
export const MAX_LAYERS = 12;

/** Consecutive slots of a commitment that are given out together. */
export const WORD_SLOTS = 128;
/** Bytes of O~, I~ and R of an input. */
export const TUPLE_BYTES = 3 * ELEMENT_BYTES;
/** Bytes of an input's proof of spend authorization and linkability. */
export const SAL_BYTES = 12 * ELEMENT_BYTES;
/** Bytes of the proof that the blind of the root is known. */
export const ROOT_BLIND_BYTES = 2 * ELEMENT_BYTES;

/** A number for each curve: C1 and C2 of the paper. */
export interface PerCurve {
  readonly selene: number;
  readonly helios: number;
}

// Whole numbers only: how precise logarithms are is left to the engine.
const powerOfTwo = (atLeast: number): number => 2 ** (32 - Math.clz32(atLeast - 1));
const exponentOf = (power: number): number => 31 - Math.clz32(power);

/** Layers on Selene above the leaves; each but the last blinds a hash of Helios. */
export const seleneSteps = (layers: number): number => Math.floor((layers - 1) / 2);
/** Layers on Helios. */
export const heliosSteps = (layers: number): number => Math.floor(layers / 2);
/** Whether the root is a point of Selene, as with an odd number of layers; otherwise it is one of Helios. */
export const isRootOnSelene = (layers: number): boolean => layers % 2 === 1;

/** Returns the gates that the circuits use. */
export function gates(inputs: number, layers: number): PerCurve {
  return {
    selene: inputs * (97 + 52 * seleneSteps(layers)),
    helios: inputs * 32 * heliosSteps(layers),
  };
}

/** Returns the rows n of the arguments: a power of two, so that inner products can be halved. */
export function rows(inputs: number, layers: number): PerCurve {
  const { selene, helios } = gates(inputs, layers);
  return {
    selene: powerOfTwo(Math.max(256, selene)),
    helios: powerOfTwo(Math.max(128, helios, inputs)),
  };
}

/** Returns how many vector commitments there are: one or more for each branch, then those of the claims, packed. */
export function commitments(inputs: number, layers: number): PerCurve {
  const n = rows(inputs, layers);
  const root = isRootOnSelene(layers) ? 1 : 0;
  const words = {
    selene: inputs * (18 + 4 * seleneSteps(layers)),
    helios: inputs * 4 * heliosSteps(layers),
  };
  return {
    selene: inputs * heliosSteps(layers) + root + Math.ceil((WORD_SLOTS * words.selene) / n.selene),
    helios:
      inputs * seleneSteps(layers) + (1 - root) + Math.ceil((WORD_SLOTS * words.helios) / n.helios),
  };
}

function elements(n: number, c: number): number {
  const coefficientsOfT = 3 * c + 5;
  return c + coefficientsOfT + 8 + 2 * exponentOf(n);
}

/** Returns the bytes of a membership proof. */
export function membershipProofBytes(inputs: number, layers: number): number {
  const n = rows(inputs, layers);
  const c = commitments(inputs, layers);
  return (
    ELEMENT_BYTES * (elements(n.selene, c.selene) + elements(n.helios, c.helios)) + ROOT_BLIND_BYTES
  );
}

/**
 * Returns the bytes of the proof of a transaction: what precedes the membership proof for each input, and that proof. Throws
 * RangeError unless there are 1 to 128 inputs and 1 to 12 layers.
 */
export function fcmpPlusPlusProofBytes(inputs: number, layers: number): number {
  if (!hasProofs(inputs, layers))
    throw new RangeError(`no proof for ${inputs} inputs, ${layers} layers`);
  return inputs * (TUPLE_BYTES + SAL_BYTES) + membershipProofBytes(inputs, layers);
}

/** Whether there are proofs for so many inputs and layers. */
export function hasProofs(inputs: number, layers: number): boolean {
  return (
    Number.isInteger(inputs) &&
    Number.isInteger(layers) &&
    inputs >= 1 &&
    inputs <= MAX_INPUTS &&
    layers >= 1 &&
    layers <= MAX_LAYERS
  );
}
