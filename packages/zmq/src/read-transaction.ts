import type {
  Formats,
  JsonValue,
  RctBase,
  RctPrunable,
  RctType,
  Transaction,
  TxInput,
  TxOutput,
  TxTarget,
} from '@monero-node/codec';
import { isObject, member, read, ZmqInputError, type Reader } from './read-json.ts';

/**
 * Returns a reader of transactions in the form that `transactionJson` writes, with the kinds of outputs that these formats have. It
 * checks only the shape; verification checks the rest. It throws ZmqInputError when the shape does not fit.
 */
export function zmqTransactionReader(formats: Formats): Reader<Transaction> {
  return (value) => transactionOf(value, formats === 'ringct' ? RINGCT_TRANSACTION : TRANSACTION);
}

function transactionOf(value: JsonValue, reader: typeof TRANSACTION): Transaction {
  const { version, unlock_time, inputs, outputs, extra, ringct } = reader(value);
  if (version !== 1 && version !== 2) throw new ZmqInputError('unknown transaction version');
  const base = { version, unlockTime: unlock_time, inputs, outputs, extra } as const;
  if (version === 1) {
    const signatures = SIGNATURES(isObject(value) ? (value['signatures'] ?? []) : []);
    return { ...base, signatures };
  }
  return { ...base, ...ringct };
}

/** Types from which on an encrypted amount has 8 bytes and no mask. */
const SHORT_AMOUNTS_FROM = 4;
const SHORT_AMOUNT = 8;
const SIGNATURE_BYTES = 64;

const KEYS = read.list(read.hash);
const SIGNATURES = read.list(read.list(read.fixed(SIGNATURE_BYTES)));

/** The one member of an object that names its kind. */
function kindOf(value: JsonValue): { name: string; inner: JsonValue } {
  const members = isObject(value) ? Object.entries(value) : [];
  const [found] = members.filter(([name]) => name !== 'amount');
  if (found === undefined)
    throw new ZmqInputError('Key "Invalid input object" missing from object.');
  return { name: found[0], inner: found[1] };
}

const GEN = read.object({ height: read.u64 });
const TO_KEY_INPUT = read.object({
  amount: read.u64,
  key_offsets: read.list(read.u64),
  key_image: read.hash,
});
const SCRIPT_INPUT = { prev: read.hash, prevout: read.u64, sigset: read.bytes };
const TO_SCRIPT_INPUT = read.object(SCRIPT_INPUT);
const SCRIPT = read.object({ keys: KEYS, script: read.bytes });
const TO_SCRIPTHASH_INPUT = read.object({ ...SCRIPT_INPUT, script: SCRIPT });

const readInput: Reader<TxInput> = (value) => {
  const { name, inner } = kindOf(value);
  switch (name) {
    case 'gen':
      return { kind: 'gen', height: Number(GEN(inner).height) };
    case 'to_key': {
      const { amount, key_offsets: keyOffsets, key_image: keyImage } = TO_KEY_INPUT(inner);
      return { kind: 'key', amount, keyOffsets, keyImage };
    }
    case 'to_script':
      return { kind: 'script', ...TO_SCRIPT_INPUT(inner) };
    case 'to_scripthash': {
      const { script, ...rest } = TO_SCRIPTHASH_INPUT(inner);
      return { kind: 'scripthash', ...rest, ...script };
    }
    default:
      throw new ZmqInputError(`unknown input ${name}`);
  }
};

const AMOUNT = read.object({ amount: read.u64 });
const TO_KEY = read.object({ key: read.hash });
const TO_TAGGED_KEY = read.object({ key: read.hash, view_tag: read.fixed(1) });
const TO_CARROT = read.object({
  key: read.hash,
  view_tag: read.fixed(3),
  encrypted_janus_anchor: read.fixed(16),
});
const TO_SCRIPTHASH = read.object({ hash: read.hash });

const readOutput: Reader<TxOutput> = (value) => {
  const { amount } = AMOUNT(value);
  return { amount, target: readTarget(value) };
};

/** Reads an output of a network that knows no Carrot outputs. */
const readRingctOutput: Reader<TxOutput> = (value) => {
  const { amount } = AMOUNT(value);
  const { name } = kindOf(value);
  if (name === 'to_carrot_v1') throw new ZmqInputError(`unknown output ${name}`);
  return { amount, target: readTarget(value) };
};

const readTarget: Reader<TxTarget> = (value) => {
  const { name, inner } = kindOf(value);
  switch (name) {
    case 'to_key':
      return { kind: 'key', ...TO_KEY(inner) };
    case 'to_tagged_key': {
      const { key, view_tag: tag } = TO_TAGGED_KEY(inner);
      return { kind: 'tagged-key', key, viewTag: tag[0] ?? 0 };
    }
    case 'to_carrot_v1': {
      const carrot = TO_CARROT(inner);
      return {
        kind: 'carrot',
        key: carrot.key,
        viewTag: carrot.view_tag,
        encryptedJanusAnchor: carrot.encrypted_janus_anchor,
      };
    }
    case 'to_script':
      return { kind: 'script', ...SCRIPT(inner) };
    case 'to_scripthash':
      return { kind: 'scripthash', ...TO_SCRIPTHASH(inner) };
    default:
      throw new ZmqInputError(`unknown output ${name}`);
  }
};

const RCT_TYPE = read.object({ type: read.u8 });
const RCT_BASE = read.object({
  encrypted: read.list(read.object({ mask: read.hash, amount: read.hash })),
  commitments: KEYS,
  fee: read.u64,
});

const readRingct: Reader<{ rct?: RctBase; prunable?: RctPrunable }> = (value) => {
  const { type } = RCT_TYPE(value);
  if (type > 6) throw new ZmqInputError(`unknown RingCT type ${type}`);
  if (type === 0) {
    return { rct: { type: 0, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] } };
  }
  const { encrypted, commitments, fee } = RCT_BASE(value);
  const short = type >= SHORT_AMOUNTS_FROM;
  const ecdhInfo = encrypted.map(({ mask, amount }) =>
    short ? { amount: amount.subarray(0, SHORT_AMOUNT) } : { mask, amount },
  );
  const rct: RctBase = {
    type: type as RctType,
    fee,
    pseudoOuts: [],
    ecdhInfo,
    outPk: commitments,
  };
  const given = isObject(value) ? value['prunable'] : undefined;
  if (given === undefined) return { rct };
  const prunable = readPrunable(given);
  // Of type 2 the pseudo outputs belong to what pruning keeps.
  return type === 2
    ? {
        rct: { ...rct, pseudoOuts: prunable.pseudoOuts },
        prunable: { ...prunable, pseudoOuts: [] },
      }
    : { rct, prunable };
};

const BORROMEAN = read.object({ s0: KEYS, s1: KEYS, ee: read.hash });
const RANGE_SIG = read.object({ asig: BORROMEAN, Ci: KEYS });
const BULLETPROOF = read.object({
  A: read.hash,
  S: read.hash,
  T1: read.hash,
  T2: read.hash,
  taux: read.hash,
  mu: read.hash,
  L: KEYS,
  R: KEYS,
  a: read.hash,
  b: read.hash,
  t: read.hash,
});
const BULLETPROOF_PLUS = read.object({
  A: read.hash,
  A1: read.hash,
  B: read.hash,
  r1: read.hash,
  s1: read.hash,
  d1: read.hash,
  L: KEYS,
  R: KEYS,
});
const MLSAG = read.object({ ss: read.list(KEYS), cc: read.hash });
const CLSAG = read.object({ s: KEYS, c1: read.hash, D: read.hash });
const PRUNABLE = read.object({
  range_proofs: read.list(RANGE_SIG),
  bulletproofs: read.list(BULLETPROOF),
  bulletproofs_plus: read.list(BULLETPROOF_PLUS),
  mlsags: read.list(MLSAG),
  pseudo_outs: KEYS,
});
const CLSAGS = read.list(CLSAG);

const readPrunable: Reader<RctPrunable> = (value) => {
  const given = PRUNABLE(value);
  return {
    rangeSigs: given.range_proofs.map(({ asig, Ci }) => ({ ...asig, Ci })),
    bulletproofs: given.bulletproofs,
    bulletproofsPlus: given.bulletproofs_plus,
    mlsags: given.mlsags,
    // Release 0.18.0 did not know them here.
    clsags: isObject(value) && 'clsags' in value ? CLSAGS(member(value, 'clsags')) : [],
    pseudoOuts: given.pseudo_outs,
  };
};

function transactionWith(output: Reader<TxOutput>) {
  return read.object({
    version: read.u64Number,
    unlock_time: read.u64,
    inputs: read.list(readInput),
    outputs: read.list(output),
    extra: read.bytes,
    ringct: readRingct,
  });
}

const TRANSACTION = transactionWith(readOutput);
const RINGCT_TRANSACTION = transactionWith(readRingctOutput);
