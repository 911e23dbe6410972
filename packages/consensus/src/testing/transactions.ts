import { bytesEqual, partsOf } from '@monero-node/codec';
import type {
  CurveTreeRoot,
  ParsedTransaction,
  RctPrunable,
  RctType,
  Transaction,
  TxInput,
  TxOutput,
  TxTarget,
} from '@monero-node/codec';
import {
  CheckPacker,
  type CryptoCheck,
  type RingBytes,
  type RingPoint,
  unpacked,
} from '@monero-node/crypto';
import type { ChainLookup } from '../inputs/inputs.ts';
import type { RingSignatures } from '../inputs/ring-signatures.ts';
import type { RingSlot } from '../inputs/rings.ts';

type KeyInput = Extract<TxInput, { kind: 'key' }>;

/** 32 bytes, all of the same value. */
export const bytes32 = (value: number): Uint8Array => new Uint8Array(32).fill(value);

/** Wraps a transaction as if it had been decoded from `size` bytes. Its hashes are arbitrary. */
export function parsed(tx: Transaction, size = 2000): ParsedTransaction {
  const [id, prunableHash] = [bytes32(0xdd), bytes32(2)];
  return {
    tx,
    parts: partsOf(tx),
    blob: new Uint8Array(size),
    prefixSize: 100,
    unprunedSize: 200,
    id,
    prefixHash: bytes32(1),
    prunableHash,
    rctBaseHash: bytes32(3),
    ...(tx.prunable && { signatureMessage: bytes32(4) }),
    pruned: false,
    dropObjects: () => undefined,
    hasId: (other) => bytesEqual(other, id),
    copyHashes: (ids, prunableHashes, at) => {
      ids.set(id, at);
      prunableHashes.set(prunableHash, at);
    },
  };
}

export const tagged = (value = 3): TxTarget => ({
  kind: 'tagged-key',
  key: bytes32(value),
  viewTag: 9,
});
export const plain = (value = 3): TxTarget => ({ kind: 'key', key: bytes32(value) });

export const output = (target: TxTarget = tagged(), amount = 0n): TxOutput => ({ amount, target });

/** A key input with a ring of `ring` members: indices 100, 101, … */
export function keyInput(keyImage: number, ring = 16, amount = 0n): KeyInput {
  const keyOffsets = Array.from({ length: ring }, (_, i) => (i === 0 ? 100n : 1n));
  return { kind: 'key', amount, keyOffsets, keyImage: bytes32(keyImage) };
}

export interface RingCtParts {
  inputs?: TxInput[];
  outputs?: TxOutput[];
  type?: RctType;
  fee?: bigint;
  rounds?: number;
}

/** Returns a version 2 transaction whose proofs have the right counts but prove nothing. */
export function ringCt(parts: RingCtParts = {}): Transaction {
  const { inputs = [keyInput(8), keyInput(7)], outputs = [output(), output()], type = 6 } = parts;
  const { fee = 1_000_000n, rounds = 6 + Math.ceil(Math.log2(outputs.length || 1)) } = parts;
  const perInput = (value: number) => inputs.map(() => bytes32(value));
  const perOutput = (value: number) => outputs.map(() => bytes32(value));
  const tx: Transaction = {
    version: 2,
    unlockTime: 0n,
    inputs,
    outputs,
    extra: new Uint8Array(44),
    rct: {
      type,
      fee,
      pseudoOuts: type === 2 ? perInput(4) : [],
      ecdhInfo: type === 0 ? [] : outputs.map(() => ({ amount: new Uint8Array(8) })),
      outPk: type === 0 ? [] : perOutput(5),
    },
  };
  if (type !== 0) tx.prunable = prunable(type, inputs, outputs.length, rounds, perInput(4));
  return tx;
}

function prunable(
  type: RctType,
  inputs: readonly TxInput[],
  outputs: number,
  rounds: number,
  pseudoOuts: Uint8Array[],
): RctPrunable {
  const points = Array.from({ length: rounds }, () => bytes32(6));
  const x = bytes32(6);
  const first = inputs[0];
  const ring = first?.kind === 'key' ? first.keyOffsets.length : 0;
  const s = Array.from({ length: ring }, () => x);
  const mlsag = { ss: s.map((one) => [one, one]), cc: x };
  return {
    rangeSigs:
      type <= 2 ? Array.from({ length: outputs }, () => ({ s0: [], s1: [], ee: x, Ci: [] })) : [],
    bulletproofs:
      type >= 3 && type <= 5
        ? [{ A: x, S: x, T1: x, T2: x, taux: x, mu: x, L: points, R: points, a: x, b: x, t: x }]
        : [],
    bulletproofsPlus:
      type === 6 ? [{ A: x, A1: x, B: x, r1: x, s1: x, d1: x, L: points, R: points }] : [],
    mlsags: type === 1 ? [mlsag] : type <= 4 ? inputs.map(() => mlsag) : [],
    clsags: type >= 5 ? inputs.map(() => ({ s, c1: x, D: x })) : [],
    pseudoOuts: type >= 3 ? pseudoOuts : [],
  };
}

/** Returns a version 1 transaction. */
export function ringSigned(inputs: KeyInput[], outputs: TxOutput[]): Transaction {
  return {
    version: 1,
    unlockTime: 0n,
    inputs,
    outputs,
    extra: new Uint8Array(33),
    signatures: inputs.map((input) => input.keyOffsets.map(() => new Uint8Array(64))),
  };
}

/** Returns a miner transaction with one plain amount per entry. */
export function minerTx(
  height: number,
  amounts: bigint[],
  options: { version?: 1 | 2; target?: TxTarget; rctType?: RctType } = {},
): Transaction {
  const { version = 2, target = tagged(), rctType = 0 } = options;
  const rct = { type: rctType, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] };
  return {
    version,
    unlockTime: BigInt(height + 60),
    inputs: [{ kind: 'gen', height }],
    outputs: amounts.map((amount) => ({ amount, target })),
    extra: new Uint8Array(33),
    ...(version === 2 ? { rct } : {}),
  };
}

export interface TestChainOptions {
  height?: number;
  version?: number;
  clock?: number;
  outputCount?: number;
  spent?: readonly number[];
  member?: (index: bigint, amount: bigint) => RingMember | undefined;
  tree?: CurveTreeRoot;
}

/** Returns a chain of 1000 blocks in which, by default, every output exists and is old and unlocked. */
export function chain(options: TestChainOptions = {}): ChainLookup {
  const { height = 1000, version = 16, clock = 1_700_000_000, outputCount = 10_000 } = options;
  const member = options.member ?? (() => ringMember());
  return {
    height,
    version,
    adjustedTime: () => clock,
    readRingMember: (slot, amount, index) => readMember(slot, member(index, amount)),
    commitToAmount: (amount) => bytes32(Number(amount)),
    outputCount: () => outputCount,
    isSpent: (keyImage) => options.spent?.includes(keyImage[0] as number) ?? false,
    treeRoot: () => options.tree,
  };
}

/** An output that may be a member of a ring. */
export interface RingMember {
  readonly key: Uint8Array;
  /** Absent for an output of a clear amount. */
  readonly commitment?: Uint8Array | undefined;
  readonly unlockTime: bigint;
  readonly height: number;
  readonly isCarrot?: boolean;
}

/** Reads a member as a chain does; returns whether there is one. */
export function readMember(slot: RingSlot, member: RingMember | undefined): boolean {
  if (member === undefined) return false;
  const { key, commitment, unlockTime, height, isCarrot = false } = member;
  slot.bytes.set(key, slot.keyAt);
  if (commitment !== undefined) slot.bytes.set(commitment, slot.commitmentAt);
  Object.assign(slot, { hasCommitment: commitment !== undefined, unlockTime, height, isCarrot });
  return true;
}

/** Returns the members of a ring as a check gets them. */
export function ringBytes(members: readonly RingPoint[]): RingBytes {
  const parts = [...members.map(({ key }) => key), ...members.map((member) => member.commitment)];
  return {
    bytes: Uint8Array.from(parts.flatMap((part) => [...part])),
    at: 0,
    size: members.length,
  };
}

/** Returns signatures as a verifier gets them. */
export function unpackedProofs(
  signatures: RingSignatures,
): Extract<CryptoCheck, { proofs: unknown }> {
  const check = unpacked(new CheckPacker().pack(signatures));
  if (!('proofs' in check)) throw new Error(`${check.kind} are no signatures`);
  return check;
}

export function ringMember(change: Partial<RingMember> = {}): RingMember {
  return { key: bytes32(1), commitment: bytes32(2), unlockTime: 0n, height: 10, ...change };
}

/** Returns the code of the ConsensusError that `run` throws; undefined if it does not throw. */
export function codeOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    return (error as { code?: string }).code ?? `not a ConsensusError: ${String(error)}`;
  }
  return undefined;
}
