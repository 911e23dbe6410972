import {
  commit,
  createTestRandom,
  Fn,
  G,
  proveBulletproofPlus,
  signClsag,
} from '@monero-node/crypto/testing';
import { keccak } from '../chain/block.ts';
import {
  baseBytes,
  BULLETPROOF_PLUS,
  prefixBytes,
  type LooseInput,
  type LooseRangeProof,
  type LooseTransaction,
} from '../chain/transaction.ts';
import type { OutputTable } from './output-table.ts';
import type { OwnedOutput } from './owned-outputs.ts';

export const RING_SIZE = 16;

/** An input to make: the output to spend and the global indices of its ring, in ring order. */
export interface InputPlan {
  spent: OwnedOutput;
  ring: number[];
}

/** An output to make. */
export interface OutputPlan {
  key: bigint;
  amount: bigint;
  mask: bigint;
}

/**
 * A transaction before it is signed. Tests may change any field; `finish` then signs the changed fields
 * correctly, so that only the rule under test is broken.
 */
export interface Draft {
  tx: LooseTransaction;
  inputs: InputPlan[];
  outputs: OutputPlan[];
  /** Blinding factors of the pseudo outputs, in the order of the inputs. */
  pseudoMasks: bigint[];
}

export interface SpendOptions {
  inputs: InputPlan[];
  outputs: OutputPlan[];
  fee: bigint;
  extra?: Buffer;
  unlockTime?: bigint;
}

const random = createTestRandom('transactions of the mutation tests');
/** Range proofs by openings. Proofs depend on the openings alone and are slow to make. */
type ProofCache = Map<string, LooseRangeProof>;

export const randomScalar = (): bigint => random.scalar();
export const randomBytes = (): Buffer => Buffer.from(random.bytes());
export const randomPoint = (): Buffer => Buffer.from(random.point());

/** Returns the offsets of ring members in the given order, modulo 2^64; a descending step wraps around. */
export function relativeOffsets(ring: readonly number[]): bigint[] {
  return ring.map((index, i) =>
    BigInt.asUintN(64, BigInt(index) - (i === 0 ? 0n : BigInt(ring[i - 1] ?? 0))),
  );
}

/** Makes and signs transactions that spend outputs of `table`. */
export class Spending {
  readonly #table: OutputTable;
  readonly #proofs: ProofCache = new Map();

  constructor(table: OutputTable) {
    this.#table = table;
  }

  /** Returns a complete, balanced transaction without ring signatures, with inputs in the required order. */
  draft(options: SpendOptions): Draft {
    const inputs = options.inputs.toSorted((a, b) =>
      Buffer.compare(b.spent.keyImage, a.spent.keyImage),
    );
    const pseudoMasks = inputs.map(() => random.scalar());
    const rest = pseudoMasks.slice(0, -1).reduce((sum, mask) => Fn.add(sum, mask), 0n);
    const wanted = options.outputs.reduce((sum, output) => Fn.add(sum, output.mask), 0n);
    pseudoMasks[inputs.length - 1] = Fn.sub(wanted, rest);
    return {
      inputs,
      outputs: options.outputs,
      pseudoMasks,
      tx: {
        version: 2n,
        unlockTime: options.unlockTime ?? 0n,
        inputs: inputs.map(({ spent, ring }): LooseInput => ({
          kind: 'key',
          amount: 0n,
          offsets: relativeOffsets(ring),
          keyImage: spent.keyImage,
        })),
        outputs: options.outputs.map((output, i) => ({
          amount: 0n,
          key: Buffer.from(G.multiply(output.key).toBytes()),
          viewTag: i,
        })),
        extra: options.extra ?? Buffer.concat([Buffer.from([1]), randomPoint()]),
        ringct: {
          type: BULLETPROOF_PLUS,
          fee: options.fee,
          encryptedAmounts: options.outputs.map(() => randomBytes().subarray(0, 8)),
          commitments: options.outputs.map(({ mask, amount }) =>
            Buffer.from(commit(mask, Fn.create(amount))),
          ),
          rangeProofs: [this.#proof(options.outputs)],
          signatures: [],
          pseudoOuts: inputs.map(({ spent }, i) =>
            Buffer.from(commit(pseudoMasks[i] ?? 0n, spent.amount)),
          ),
        },
      },
    };
  }

  /** Signs every input of a draft over the current content of the transaction. */
  sign(draft: Draft): LooseTransaction {
    const { tx } = draft;
    const rct = tx.ringct;
    if (rct === undefined) throw new Error('only RingCT transactions can be signed');
    const message = ringctMessage(tx);
    rct.signatures = draft.inputs.map(({ spent, ring }, i) => {
      const members = ring.map((index) => this.#table.at(index));
      const { s, c1, D } = signClsag(
        { message, ring: members, pseudoOut: rct.pseudoOuts[i] ?? Buffer.alloc(32) },
        {
          index: Math.max(0, ring.indexOf(spent.output.index)),
          key: spent.key,
          maskDifference: Fn.sub(spent.mask, draft.pseudoMasks[i] ?? 0n),
        },
        random,
      );
      return { s: s.map((scalar) => Buffer.from(scalar)), c1: Buffer.from(c1), D: Buffer.from(D) };
    });
    return tx;
  }

  #proof(outputs: readonly OutputPlan[]): LooseRangeProof {
    const name = outputs.map(({ amount, mask }) => `${amount}:${mask}`).join();
    let proof = this.#proofs.get(name);
    if (proof === undefined) {
      const made = proveBulletproofPlus(outputs, random);
      const copy = (bytes: Uint8Array): Buffer => Buffer.from(bytes);
      proof = {
        A: copy(made.A),
        A1: copy(made.A1),
        B: copy(made.B),
        r1: copy(made.r1),
        s1: copy(made.s1),
        d1: copy(made.d1),
        L: made.L.map(copy),
        R: made.R.map(copy),
      };
      this.#proofs.set(name, proof);
    }
    return { ...proof, L: [...proof.L], R: [...proof.R] };
  }
}

/** Returns the message of the ring signatures, 32 bytes. Source: get_pre_mlsag_hash in src/ringct/rctSigs.cpp. */
function ringctMessage(tx: LooseTransaction): Buffer {
  const rct = tx.ringct;
  if (rct === undefined) throw new Error('no RingCT part');
  const proofs = rct.rangeProofs.flatMap((p) => [p.A, p.A1, p.B, p.r1, p.s1, p.d1, ...p.L, ...p.R]);
  return keccak(keccak(prefixBytes(tx)), keccak(baseBytes(rct)), keccak(...proofs));
}
