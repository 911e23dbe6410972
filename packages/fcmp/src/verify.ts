import type { FcmpBackend } from './backend/backend.ts';
import { CurveEquation } from './bulletproof/equation.ts';
import type { InputTuple } from './circuit/membership-circuit.ts';
import { defaultFcmpBackend } from './choose-backend.ts';
import { decodeEdPointNotIdentity, type EdPoint, toWei25519 } from './curves/ed25519.ts';
import { HELIOS_GENERATORS, SELENE_GENERATORS } from './curves/generators.ts';
import {
  addMembershipProof,
  type MembershipProof,
  readMembershipProof,
} from './membership-proof.ts';
import {
  ELEMENT_BYTES,
  fcmpPlusPlusProofBytes,
  hasProofs,
  SAL_BYTES,
  TUPLE_BYTES,
} from '@monero-node/codec/fcmp-proof-size';
import { RefusedProof } from './refused-proof.ts';
import {
  EdEquation,
  type PublicInput,
  readSpendAuthorization,
  type SpendAuthorization,
} from './spend-authorization.ts';

/** What is to be verified. All byte arrays but the proof have 32 bytes. */
export interface FcmpPlusPlus {
  /** What the spender signs: Keccak-256 of the hashes of the prefix and of the base of the ring signature's data. */
  readonly message: Uint8Array;
  /** Layers of the tree, as the chain has them for the reference block; the proof does not bind them. */
  readonly layers: number;
  /** The root of the tree, from the chain. */
  readonly root: Uint8Array;
  /** C~ of each input. */
  readonly pseudoOuts: readonly Uint8Array[];
  /** One for each input. They may be equal to each other: that they are unspent and distinct is for the caller to check. */
  readonly keyImages: readonly Uint8Array[];
  /** O~, I~, R and SA+L of each input (480 bytes), then the membership proof. */
  readonly proof: Uint8Array;
}

/**
 * Whether an FCMP++ proof is valid: every input re-randomizes an output of the tree and its owner authorizes the spend with
 * this key image. False for anything wrong in the proof, the pseudo-outs and key images, or their number, for layers outside 1
 * to 12 and for a root that is no point of the curve that the layers tell. Runs on the calling thread. Throws TypeError for an
 * argument that is not of its type, and RangeError for a message, root, pseudo-out or key image that has not 32 bytes.
 */
export function verifyFcmpPlusPlus(proof: FcmpPlusPlus, backend?: FcmpBackend): boolean {
  return verifyFcmpPlusPlusBatch([proof], backend);
}

/**
 * Whether all proofs are valid, at less cost than one by one, as the fixed generators are shared. A batch that is refused says
 * nothing of its members: verify them singly. True for no proofs. Throws as `verifyFcmpPlusPlus`.
 */
export function verifyFcmpPlusPlusBatch(
  proofs: readonly FcmpPlusPlus[],
  backend = defaultFcmpBackend(),
): boolean {
  // Not the index that `proofs.map(verifyFcmpPlusPlus)` would pass.
  if (typeof (backend as Partial<FcmpBackend> | null)?.decodePoint !== 'function') {
    throw new TypeError('backend is none');
  }
  for (const proof of proofs) checkArguments(proof);
  try {
    // All is read before anything is computed.
    const read = proofs.map((proof) => readProof(proof, backend));
    return equationsHold(read, backend);
  } catch (error) {
    if (error instanceof RefusedProof) return false;
    throw error;
  }
}

function checkArguments({
  message,
  layers,
  root,
  pseudoOuts,
  keyImages,
  proof,
}: FcmpPlusPlus): void {
  if (!(proof instanceof Uint8Array)) throw new TypeError('proof is no Uint8Array');
  if (!Number.isInteger(layers)) throw new TypeError('layers is no whole number');
  if (!Array.isArray(pseudoOuts) || !Array.isArray(keyImages)) {
    throw new TypeError('pseudoOuts or keyImages is no array');
  }
  for (const bytes of [message, root, ...pseudoOuts, ...keyImages] as unknown[]) {
    if (!(bytes instanceof Uint8Array)) throw new TypeError('not a Uint8Array');
    if (bytes.length !== ELEMENT_BYTES) {
      throw new RangeError(`${bytes.length} bytes where ${ELEMENT_BYTES} are needed`);
    }
  }
}

interface ReadProof {
  readonly inputs: readonly { readonly input: PublicInput; readonly spend: SpendAuthorization }[];
  readonly membership: MembershipProof;
}

/** Reads a whole proof. Throws `RefusedProof` if anything about it is malformed; its length is checked before all else. */
function readProof(
  { message, layers, root, pseudoOuts, keyImages, proof }: FcmpPlusPlus,
  backend: FcmpBackend,
): ReadProof {
  const count = pseudoOuts.length;
  if (!hasProofs(count, layers)) throw new RefusedProof('too few or too many inputs or layers');
  if (keyImages.length !== count) throw new RefusedProof('not one key image for each input');
  if (proof.length !== fcmpPlusPlusProofBytes(count, layers)) {
    throw new RefusedProof('the length does not follow from inputs and layers');
  }
  const blockBytes = TUPLE_BYTES + SAL_BYTES;
  const inputs = pseudoOuts.map((pseudoOut, i) => {
    const block = proof.subarray(i * blockBytes, (i + 1) * blockBytes);
    const input = readInput(block, pseudoOut, keyImages[i] as Uint8Array, backend);
    const elements = block.subarray(TUPLE_BYTES);
    const spend = readSpendAuthorization(message, input.bytes, elements, backend);
    return { input, spend };
  });
  const tuples = inputs.map(({ input: { O, I, R, C } }): InputTuple => {
    return { O: toWei25519(O), I: toWei25519(I), R: toWei25519(R), C: toWei25519(C) };
  });
  const membership = readMembershipProof(
    { layers, root, tuples },
    proof.subarray(count * blockBytes),
    backend,
  );
  return { inputs, membership };
}

function readInput(
  block: Uint8Array,
  pseudoOut: Uint8Array,
  keyImage: Uint8Array,
  backend: FcmpBackend,
): PublicInput {
  const [O, I, R] = [0, 1, 2].map((i) =>
    block.subarray(i * ELEMENT_BYTES, (i + 1) * ELEMENT_BYTES),
  ) as [Uint8Array, Uint8Array, Uint8Array];
  const bytes = { O, I, R, C: pseudoOut, keyImage };
  const decode = (element: Uint8Array): EdPoint =>
    decodeEdPointNotIdentity(element, (each) => backend.decodeEdPoint(each));
  return {
    O: decode(O),
    I: decode(I),
    R: decode(R),
    C: decode(pseudoOut),
    keyImage: decode(keyImage),
    bytes,
  };
}

/** Whether all equations hold, summed up with random weights on each of the three curves. */
function equationsHold(proofs: readonly ReadProof[], backend: FcmpBackend): boolean {
  const ed = new EdEquation(backend);
  const cycle = {
    selene: new CurveEquation(SELENE_GENERATORS, backend),
    helios: new CurveEquation(HELIOS_GENERATORS, backend),
  };
  for (const { inputs } of proofs) {
    for (const { input, spend } of inputs) ed.addSpendAuthorization(input, spend);
  }
  // Cheapest first.
  if (!ed.holds()) return false;
  for (const { membership } of proofs) addMembershipProof(cycle, membership);
  return cycle.helios.holds() && cycle.selene.holds();
}
