import {
  encodeBlock,
  encodeTransaction,
  fromHex,
  parseBlock,
  parseTransaction,
  toHex,
  type ParsedTransaction,
} from '@monero-node/codec';
import { createBackend, runCheck, type CryptoCheck } from '@monero-node/crypto';
import { HISTORICAL_POW_HEIGHT } from '../block/historical-pow.ts';
import { checkMinerTxShape } from '../block/miner-tx.ts';
import { versionAtHeight } from '../network/hard-forks.ts';
import { NETWORKS } from '../network/networks.ts';
import { ringSignaturesOf } from '../inputs/ring-signatures.ts';
import { ringBytes, unpackedProofs } from './transactions.ts';
import { rulesFor } from '../forks/fork-table.ts';
import { readFixture } from './fixtures.ts';
import { checkTransaction, type PendingChecks } from '../transaction/transaction.ts';

interface BlockFacts {
  readonly id: string;
  readonly height: number;
  readonly major: number;
  readonly minor: number;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly nonce: number;
  /** Number of transactions besides the miner transaction. */
  readonly txs: number;
}

interface TransactionFacts {
  readonly id: string;
  readonly version: number;
  readonly unlockTime: number;
  readonly inputs: number;
  readonly outputs: number;
}

const { mainnet } = NETWORKS;
const vectors = readFixture<{
  /** Blobs in base 64 by id. */
  blocks: Record<string, string>;
  transactions: Record<string, string>;
  /**
   * Ring members, key and commitment in hex, of each input: an MLSAG transaction of mainnet (type 3), one of stagenet
   * (type 4), and a CLSAG one of a private chain (type 6).
   */
  withRings: readonly {
    network: 'mainnet' | 'stagenet' | 'private';
    id: string;
    transaction: string;
    rings: readonly (readonly [string, string][])[];
  }[];
  /** Facts that others have published about some of them. */
  facts: {
    blocks: readonly BlockFacts[];
    transactions: readonly TransactionFacts[];
  };
}>('mainnet.json.gz');
const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));
const backend = createBackend();

function passes(check: CryptoCheck): boolean {
  return runCheck(backend, check).every((answer) => answer);
}

function proofsOf({ points, keyImages, balance, rangeProofs }: PendingChecks): CryptoCheck[] {
  return [
    { kind: 'points', points },
    { kind: 'key-images', keyImages },
    ...(balance ? [{ kind: 'balance' as const, statements: [balance] }] : []),
    ...(rangeProofs ? [rangeProofs] : []),
  ];
}

/** Returns a number in the range proofs that may have any value that decodes, 32 bytes. */
function rangeProofNumber({ tx }: ParsedTransaction): Uint8Array | undefined {
  const { rangeSigs, bulletproofs, bulletproofsPlus } = tx.prunable ?? {};
  return rangeSigs?.[0]?.ee ?? bulletproofs?.[0]?.t ?? bulletproofsPlus?.[0]?.d1;
}

/** Returns a fork that allows transactions of this kind. */
function forkOf({ tx }: ParsedTransaction): number {
  if (tx.version === 1) return 1;
  return [4, 4, 4, 8, 10, 13, 15][tx.rct?.type ?? 0] ?? 16;
}

describe('blocks of mainnet', () => {
  const blocks = Object.entries(vectors.blocks);

  test.each(blocks)('%s', (id, base64) => {
    const blob = bytes(base64);
    const parsed = parseBlock(blob);
    expect(toHex(parsed.id)).toBe(id);
    expect(Buffer.compare(encodeBlock(parsed.block), blob)).toBe(0);
    const [input] = parsed.block.minerTx.inputs;
    if (input?.kind !== 'gen') throw new Error('no miner transaction');
    const version = versionAtHeight(mainnet, input.height);
    expect(parsed.block.majorVersion).toBe(version);
    checkMinerTxShape(rulesFor(version), input.height, parsed.minerTx);
  });

  test('include the block with the exceptional id and its neighbors', () => {
    const heights = blocks.map(([, base64]) => {
      const [input] = parseBlock(bytes(base64)).block.minerTx.inputs;
      return input?.kind === 'gen' ? input.height : undefined;
    });
    expect(heights).toEqual(expect.arrayContaining([HISTORICAL_POW_HEIGHT, 202_609]));
  });

  test.each(vectors.facts.blocks)('$id is read as published', (facts) => {
    const { block } = parseBlock(bytes(vectors.blocks[facts.id] ?? ''));
    const [input] = block.minerTx.inputs;
    expect({
      id: facts.id,
      height: input?.kind === 'gen' ? input.height : undefined,
      major: block.majorVersion,
      minor: block.minorVersion,
      timestamp: block.timestamp,
      nonce: block.nonce,
      txs: block.txHashes.length,
    }).toEqual(facts);
  });

  // This proves that the transaction is on the chain, whoever published it.
  test('include one that lists the transaction of type 1', () => {
    const listed = blocks.flatMap(([, base64]) => parseBlock(bytes(base64)).block.txHashes);
    const types = listed
      .map((hash) => vectors.transactions[toHex(hash)])
      .map((base64) => base64 && parseTransaction(bytes(base64)).tx.rct?.type);
    expect(types).toContain(1);
  });
});

describe('transactions of mainnet', () => {
  const transactions = Object.entries(vectors.transactions);

  test.each(transactions)('%s', (id, base64) => {
    const blob = bytes(base64);
    const parsed = parseTransaction(blob);
    expect(toHex(parsed.id)).toBe(id);
    expect(Buffer.compare(encodeTransaction(parsed.tx), blob)).toBe(0);
    if (parsed.tx.inputs[0]?.kind === 'gen') return;
    const checks = checkTransaction(rulesFor(forkOf(parsed)), parsed);
    expect(proofsOf(checks).map(passes)).toEqual(proofsOf(checks).map(() => true));
  });

  test.each(vectors.facts.transactions)('$id is read as published', (facts) => {
    const { tx } = parseTransaction(bytes(vectors.transactions[facts.id] ?? ''));
    expect({
      id: facts.id,
      version: tx.version,
      unlockTime: Number(tx.unlockTime),
      inputs: tx.inputs.length,
      outputs: tx.outputs.length,
    }).toEqual(facts);
  });

  const proven = transactions.filter(
    ([, base64]) => rangeProofNumber(parseTransaction(bytes(base64))) !== undefined,
  );

  test.each(proven)('%s: rejects its range proofs with one bit changed', (id, base64) => {
    const blob = bytes(base64);
    const number = rangeProofNumber(parseTransaction(blob)) as Uint8Array;
    const at = Buffer.from(blob).indexOf(number);
    blob[at] = (blob[at] as number) ^ 1;
    const parsed = parseTransaction(blob);
    expect(toHex(parsed.id)).not.toBe(id);
    const { rangeProofs, balance } = checkTransaction(rulesFor(forkOf(parsed)), parsed);
    expect(runCheck(backend, rangeProofs as CryptoCheck)).toContain(false);
    expect(balance === undefined || backend.verifyBalance(balance)).toBe(true);
  });

  test('include every kind', () => {
    const kinds = transactions.map(([, base64]) => {
      const { tx } = parseTransaction(bytes(base64));
      return tx.version === 1 ? 'v1' : `type ${tx.rct?.type}`;
    });
    const types = [0, 1, 2, 3, 4, 5, 6].map((type) => `type ${type}`);
    expect([...new Set(kinds)].sort()).toEqual([...types, 'v1']);
  });
});

describe('a transaction whose ring members are known', () => {
  test.each(vectors.withRings)(
    '$network $id verifies with them, and in no other order',
    ({ id, transaction, rings }) => {
      const parsed = parseTransaction(bytes(transaction));
      expect(toHex(parsed.id)).toBe(id);
      const checks = proofsOf(checkTransaction(rulesFor(forkOf(parsed)), parsed));
      expect(checks.map(passes)).toEqual(checks.map(() => true));
      const known = rings.map((ring) =>
        ring.map(([key, commitment]) => ({ key: fromHex(key), commitment: fromHex(commitment) })),
      );
      const fail = (code: string): never => {
        throw new Error(code);
      };
      const signaturesFor = (members: typeof known) =>
        unpackedProofs(ringSignaturesOf(parsed, members.map(ringBytes), fail));
      const signatures = signaturesFor(known);
      expect(signatures.proofs).toHaveLength(rings.length);
      expect(runCheck(backend, signatures)).toEqual(rings.map(() => true));
      const reversed = known.map((ring) => ring.toReversed());
      expect(runCheck(backend, signaturesFor(reversed))).toEqual(rings.map(() => false));
    },
  );
});
