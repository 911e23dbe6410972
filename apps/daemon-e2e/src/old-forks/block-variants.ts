import type { Block, Transaction } from '@monero-node/codec';

/** A block that is not encoded yet. */
type DraftBlock = { -readonly [Field in keyof Block]: Block[Field] };

/** A change to monerod's template, and the forks under which the changed block is valid. */
export interface BlockVariant {
  readonly name: string;
  /** Forks under which it can be tried. */
  readonly tried: (version: number) => boolean;
  readonly accepted: (version: number) => boolean;
  /** Changes the block in place. */
  readonly change: (block: DraftBlock) => void;
}

const between = (low: number, high: number) => (version: number) =>
  version >= low && version <= high;
const oneOf =
  (...versions: readonly number[]) =>
  (version: number) =>
    versions.includes(version);
const never = () => false;

function claim(block: Block, more: bigint): void {
  const last = block.minerTx.outputs.at(-1);
  if (last === undefined) throw new Error('a coinbase without outputs');
  last.amount += more;
}

function setVersion(tx: Transaction, version: 1 | 2): void {
  tx.version = version;
  delete tx.rct;
  if (version === 1) tx.signatures = [];
  else tx.rct = { type: 0, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] };
}

/** Splits the reward over three outputs and adds two Bulletproofs that prove nothing, for two outputs and for one. */
function addBulletproofs({ minerTx }: Block): void {
  const [first] = minerTx.outputs;
  if (first === undefined) throw new Error('a coinbase without outputs');
  first.amount -= 2n;
  const { target } = first;
  minerTx.outputs.push({ amount: 1n, target }, { amount: 1n, target });
  const x = new Uint8Array(32).fill(1);
  const proof = (rounds: number) => {
    const points = Array.from({ length: rounds }, () => x);
    return { A: x, S: x, T1: x, T2: x, taux: x, mu: x, L: points, R: points, a: x, b: x, t: x };
  };
  const each = <T>(value: T): T[] => minerTx.outputs.map(() => value);
  minerTx.rct = {
    type: 3,
    fee: 0n,
    pseudoOuts: [],
    ecdhInfo: each({ mask: x, amount: x }),
    outPk: each(x),
  };
  minerTx.prunable = {
    rangeSigs: [],
    bulletproofs: [proof(7), proof(6)],
    bulletproofsPlus: [],
    mlsags: [{ ss: [[x, x]], cc: x }],
    clsags: [],
    pseudoOuts: [x],
  };
}

/** Invalid blocks come first, because an accepted one replaces the template's block. */
export const BLOCK_VARIANTS: readonly BlockVariant[] = [
  {
    name: 'claims more than it may',
    tried: oneOf(1, 2, 12, 16),
    accepted: never,
    // Templates of versions 2 and 3 omit digits below this amount.
    change: (block) => claim(block, 100_000_000n),
  },
  {
    name: 'has the major version before',
    tried: between(2, 16),
    accepted: never,
    change: (block) => block.majorVersion--,
  },
  {
    name: 'has the major version after',
    tried: between(1, 15),
    accepted: never,
    change: (block) => block.majorVersion++,
  },
  {
    name: 'votes for the version before',
    tried: between(3, 16),
    accepted: never,
    change: (block) => (block.minorVersion = block.majorVersion - 1),
  },
  {
    name: 'locks its coinbase a block longer',
    tried: oneOf(1, 4, 16),
    accepted: never,
    change: ({ minerTx }) => minerTx.unlockTime++,
  },
  {
    name: 'tags the outputs of its coinbase or leaves tags out',
    tried: oneOf(1, 14, 15, 16),
    accepted: (version) => version === 15,
    change: ({ minerTx }) => {
      for (const output of minerTx.outputs) {
        if (!('key' in output.target)) continue;
        const { kind, key } = output.target;
        output.target =
          kind === 'key' ? { kind: 'tagged-key', key, viewTag: 7 } : { kind: 'key', key };
      }
    },
  },
  {
    name: 'claims one less than it may',
    tried: oneOf(1, 2, 3, 4, 8, 12, 13, 16),
    // Under version 3 the amount is then no longer one digit and zeros.
    accepted: (version) => version === 2 || (version >= 4 && version <= 12),
    change: (block) => claim(block, -1n),
  },
  {
    name: 'has a coinbase of version 1',
    tried: oneOf(4, 11, 12, 16),
    accepted: between(4, 11),
    change: ({ minerTx }) => setVersion(minerTx, 1),
  },
  {
    name: 'has a coinbase with two Bulletproofs',
    tried: oneOf(4, 8, 11, 12),
    accepted: between(4, 11),
    change: addBulletproofs,
  },
  {
    name: 'has a coinbase of version 2',
    tried: between(1, 3),
    accepted: between(1, 3),
    change: ({ minerTx }) => setVersion(minerTx, 2),
  },
];
