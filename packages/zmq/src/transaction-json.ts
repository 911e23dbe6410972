import {
  type Block,
  type CurveTreeRoot,
  type JsonValue,
  type RctPrunable,
  toHex,
  type Transaction,
  type TxInput,
  type TxOutput,
  type TxTarget,
} from '@monero-node/codec';
import { ed25519 } from '@noble/curves/ed25519.js';

const { Point } = ed25519;
/** The inverse of 8 modulo the order of the base point. */
const INVERSE_OF_EIGHT = Point.Fn.inv(8n);

/**
 * A commitment times 1/8, in which form range proofs speak of it (src/ringct/rctSigs.cpp, V). Takes and returns 32
 * bytes. Throws for bytes that are no point, which no accepted transaction holds.
 */
function divideByEight(commitment: Uint8Array): Uint8Array {
  return Point.fromBytes(commitment, true).multiplyUnsafe(INVERSE_OF_EIGHT).toBytes();
}

/**
 * Transactions and blocks as the ZeroMQ interface shows them. Members are in the order they are sent.
 * Source of names and order: src/serialization/json_object.cpp. As there, the proof of a transaction of RingCT type 7 is left out, so
 * that it cannot be read back.
 */

const hexes = (list: readonly Uint8Array[]): JsonValue[] => list.map(toHex);

/** A transaction; pruned ones are shown without signatures and proofs, `pruned` shows any that way. */
export function transactionJson(tx: Transaction, pruned = false): JsonValue {
  return {
    version: tx.version,
    unlock_time: tx.unlockTime,
    inputs: tx.inputs.map(inputJson),
    outputs: tx.outputs.map(outputJson),
    extra: toHex(tx.extra),
    ...(pruned ? {} : { signatures: (tx.signatures ?? []).map(hexes) }),
    ringct: ringctJson(tx, pruned),
  };
}

/** A block with its coinbase and the ids of its other transactions. */
export function blockJson(block: Block): JsonValue {
  return {
    major_version: block.majorVersion,
    minor_version: block.minorVersion,
    timestamp: block.timestamp,
    prev_id: toHex(block.prevId),
    nonce: block.nonce,
    miner_tx: transactionJson(block.minerTx),
    tx_hashes: hexes(block.txHashes),
    ...(block.tree === undefined ? {} : treeJson(block.tree)),
  };
}

function treeJson({ layers, root }: CurveTreeRoot): { [name: string]: JsonValue } {
  return { fcmp_pp_n_tree_layers: layers, fcmp_pp_tree_root: toHex(root) };
}

function inputJson(input: TxInput): JsonValue {
  switch (input.kind) {
    case 'gen':
      return { gen: { height: input.height } };
    case 'key': {
      const { amount, keyOffsets, keyImage } = input;
      return { to_key: { amount, key_offsets: keyOffsets, key_image: toHex(keyImage) } };
    }
    case 'script': {
      const { prev, prevout, sigset } = input;
      return { to_script: { prev: toHex(prev), prevout, sigset: toHex(sigset) } };
    }
    case 'scripthash': {
      const { prev, prevout, keys, script, sigset } = input;
      return {
        to_scripthash: {
          prev: toHex(prev),
          prevout,
          script: { keys: hexes(keys), script: toHex(script) },
          sigset: toHex(sigset),
        },
      };
    }
  }
}

function outputJson({ amount, target }: TxOutput): JsonValue {
  return { amount, ...targetJson(target) };
}

function targetJson(target: TxTarget): { [kind: string]: JsonValue } {
  switch (target.kind) {
    case 'key':
      return { to_key: { key: toHex(target.key) } };
    case 'tagged-key': {
      const viewTag = toHex(Uint8Array.of(target.viewTag));
      return { to_tagged_key: { key: toHex(target.key), view_tag: viewTag } };
    }
    case 'carrot': {
      const { key, viewTag, encryptedJanusAnchor } = target;
      return {
        to_carrot_v1: {
          key: toHex(key),
          view_tag: toHex(viewTag),
          encrypted_janus_anchor: toHex(encryptedJanusAnchor),
        },
      };
    }
    case 'script':
      return { to_script: { keys: hexes(target.keys), script: toHex(target.script) } };
    case 'scripthash':
      return { to_scripthash: { hash: toHex(target.hash) } };
  }
}

function ringctJson(tx: Transaction, pruned: boolean): JsonValue {
  const { rct, prunable } = tx;
  if (rct === undefined || rct.type === 0) return { type: 0 };
  const base = {
    type: rct.type,
    encrypted: rct.ecdhInfo.map(({ mask, amount }) => ({
      mask: mask === undefined ? ZERO_KEY : toHex(mask),
      amount: toHex(amount).padEnd(64, '0'),
    })),
    commitments: hexes(rct.outPk),
    fee: rct.fee,
  };
  if (pruned || prunable === undefined) return base;
  const pseudoOuts = rct.pseudoOuts.length > 0 ? rct.pseudoOuts : prunable.pseudoOuts;
  return { ...base, prunable: prunableJson(prunable, rct.outPk, pseudoOuts) };
}

const ZERO_KEY = '0'.repeat(64);

function prunableJson(
  prunable: RctPrunable,
  commitments: readonly Uint8Array[],
  pseudoOuts: readonly Uint8Array[],
): JsonValue {
  return {
    range_proofs: prunable.rangeSigs.map(({ s0, s1, ee, Ci }) => ({
      asig: { s0: hexes(s0), s1: hexes(s1), ee: toHex(ee) },
      Ci: hexes(Ci),
    })),
    bulletproofs: bulletproofsJson(prunable, commitments),
    bulletproofs_plus: bulletproofsPlusJson(prunable, commitments),
    mlsags: prunable.mlsags.map(({ ss, cc }) => ({ ss: ss.map(hexes), cc: toHex(cc) })),
    clsags: prunable.clsags.map(({ s, c1, D }) => ({
      s: hexes(s),
      c1: toHex(c1),
      D: toHex(D),
    })),
    pseudo_outs: hexes(pseudoOuts),
  };
}

/** Consensus allows one proof per transaction, which is about all of its outputs. */
function bulletproofsJson(
  { bulletproofs }: RctPrunable,
  commitments: readonly Uint8Array[],
): JsonValue {
  return bulletproofs.map((proof) => ({
    V: hexes(commitments.map(divideByEight)),
    A: toHex(proof.A),
    S: toHex(proof.S),
    T1: toHex(proof.T1),
    T2: toHex(proof.T2),
    taux: toHex(proof.taux),
    mu: toHex(proof.mu),
    L: hexes(proof.L),
    R: hexes(proof.R),
    a: toHex(proof.a),
    b: toHex(proof.b),
    t: toHex(proof.t),
  }));
}

function bulletproofsPlusJson(
  { bulletproofsPlus }: RctPrunable,
  commitments: readonly Uint8Array[],
): JsonValue {
  return bulletproofsPlus.map((proof) => ({
    V: hexes(commitments.map(divideByEight)),
    A: toHex(proof.A),
    A1: toHex(proof.A1),
    B: toHex(proof.B),
    r1: toHex(proof.r1),
    s1: toHex(proof.s1),
    d1: toHex(proof.d1),
    L: hexes(proof.L),
    R: hexes(proof.R),
  }));
}
