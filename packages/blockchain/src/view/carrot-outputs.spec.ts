import { jest } from '@jest/globals';
import { runAtOnce } from '@monero-node/base';
import {
  encodeTransaction,
  fromHex,
  parseBlock,
  parsePrunedTransaction,
  parseTransaction,
  type ParsedTransaction,
} from '@monero-node/codec';
import { countParses, readNextFork, type NextForkChain } from '@monero-node/codec/testing';
import { NETWORKS, withOverrides, type Network } from '@monero-node/consensus';
import { createBackend } from '@monero-node/crypto';
import { createMemoryStore, type BlockMeta, type BlockRecord } from '@monero-node/storage';
import { readMember } from '../testing/read-member.ts';
import { NOW } from '../testing/test-chain.ts';
import { blockRecordSteps } from '../verify/block-record.ts';
import { completeBlock } from '../verify/match-transactions.ts';
import { parseBundle } from '../verify/parse-bundle.ts';
import { CarrotOutputs } from './carrot-outputs.ts';
import { TipState } from './tip-state.ts';

const backend = createBackend();
const commitToAmount = (amount: bigint) => backend.commitToAmount(amount);

describe('the recorded chain across both forks', () => {
  const long = readNextFork().chains.find(({ name }) => name === 'long') as NextForkChain;
  const hardForks = long.forks.map(({ version, height }) => ({ version, height, time: 0 }));
  const network: Network = withOverrides(NETWORKS.regtest, {
    hardForks: [{ version: 1, height: 0, time: 0 }, ...hardForks],
  });
  const transactionsAt = (height: number) =>
    long.transactions.filter((tx) => tx.height === height).map(({ blob }) => fromHex(blob));
  /** As they would be stored; nothing is verified. */
  const records = long.blocks.map(({ blob }, height): BlockRecord => {
    const parsed = parseBlock(fromHex(blob));
    const { txs } = parseBundle({ block: fromHex(blob), txs: transactionsAt(height) });
    const meta: BlockMeta = {
      height,
      id: parsed.id,
      timestamp: parsed.block.timestamp,
      weight: 100,
      longTermWeight: 100,
      cumulativeDifficulty: BigInt(height + 1),
      generatedCoins: 0n,
      cumulativeTxCount: 0,
      cumulativeRctOutputs: 0,
      majorVersion: parsed.block.majorVersion,
      minorVersion: parsed.block.minorVersion,
    };
    return runAtOnce(blockRecordSteps(completeBlock(parsed, txs), meta, commitToAmount));
  });
  /** Of all outputs of version 2, in the order of the chain. */
  const kinds = long.blocks.flatMap(({ blob }, height) => {
    const { block, txs } = parseBundle({ block: fromHex(blob), txs: transactionsAt(height) });
    return [block.minerTx, ...txs]
      .filter(({ tx }) => tx.version === 2)
      .flatMap(({ tx }) => tx.outputs.map(({ target }) => target.kind));
  });

  async function tipOf(stored: number, ofNetwork = network) {
    const store = createMemoryStore();
    await store.commit({ append: records.slice(0, stored) });
    return {
      store,
      tip: new TipState({ network: ofNetwork, store, now: () => NOW, commitToAmount }),
    };
  }

  async function viewOf(stored: number, ofNetwork = network) {
    const view = (await tipOf(stored, ofNetwork)).tip.viewAt(stored);
    for (const record of records.slice(stored)) view.push(record);
    return view;
  }

  const areCarrot = kinds.map((kind) => kind === 'carrot');
  /** Indices of outputs that transactions other than coinbases made at version 17. */
  const ofTransactions = () =>
    long.blocks.flatMap((_, height) => {
      const record = records[height] as BlockRecord;
      if (record.meta.majorVersion !== 17) return [];
      const first = kinds.length - countFrom(height);
      const coinbase = record.outputs.counts[0] ?? 0;
      const others = record.outputs.amounts.length - coinbase;
      return Array.from({ length: others }, (_, i) => first + coinbase + i);
    });
  const countFrom = (height: number) =>
    records.slice(height).reduce((sum, { outputs }) => sum + outputs.commitments.length / 32, 0);

  /** Returns a transaction in its base form with that many rings of these members. */
  function withRings(count: number, members: readonly number[]): ParsedTransaction {
    const { tx } = long.transactions
      .map(({ blob }) => parseTransaction(fromHex(blob)))
      .find((parsed) => parsed.tx.rct?.type === 6) as ParsedTransaction;
    const inputs = Array.from({ length: count }, (_, i) => {
      const ring = Array.from({ length: 16 }, (_, j) => members[(i + j) % members.length] ?? 0);
      ring.sort((a, b) => a - b);
      return {
        kind: 'key' as const,
        amount: 0n,
        keyOffsets: ring.map((index, j) => BigInt(index - (ring[j - 1] ?? 0))),
        keyImage: new Uint8Array(32).fill(i),
      };
    });
    const { prunable: _, ...base } = tx;
    return parsePrunedTransaction(encodeTransaction({ ...base, inputs }));
  }

  test.each([
    ['stored', records.length],
    ['not stored yet', 1],
    ['stored in part', 150],
  ])('tells which outputs are Carrot outputs: %s', async (_what, stored) => {
    const view = await viewOf(stored);
    const found = kinds.map((_, index) => readMember(view, 0n, index)?.isCarrot === true);
    expect(found).toEqual(areCarrot);
    expect(new Set(kinds)).toEqual(new Set(['tagged-key', 'carrot']));
    expect(readMember(view, 0n, kinds.length)).toBeUndefined();
  });

  test.each([
    ['later', 20],
    ['earlier', -20],
  ])('asks the stored blocks for their version when the table says %s', async (_what, shift) => {
    const moved = withOverrides(network, {
      hardForks: network.hardForks.map((fork) =>
        fork.version === 17 ? { ...fork, height: fork.height + shift } : fork,
      ),
    });
    for (const stored of [records.length, 1]) {
      const view = await viewOf(stored, moved);
      const found = kinds.map((_, index) => readMember(view, 0n, index)?.isCarrot === true);
      expect(found).toEqual(areCarrot);
    }
  });

  test('reads each transaction once for 4,000 ring members, and before they are checked', async () => {
    const { store, tip } = await tipOf(records.length);
    const members = ofTransactions();
    const origins = members.map((index) => store.outputOrigin(0n, index)?.txId ?? []);
    const transactions = new Set(origins.map((id) => Buffer.from(id).toString('hex'))).size;
    expect(members.length).toBeGreaterThan(transactions);
    const base = jest.spyOn(store, 'txBase');
    const whole = jest.spyOn(store, 'tx');
    const origin = jest.spyOn(store, 'outputOrigin');
    const tx = withRings(250, members);
    const { transactions: parses } = await countParses(() => tip.atTip.prefetch([tx], true));
    expect(parses).toBe(transactions);
    expect(base).toHaveBeenCalledTimes(transactions);
    expect(origin).toHaveBeenCalledTimes(transactions);

    // The check, also with the view of another tip.
    const later = await countParses(() => {
      for (const view of [tip.atTip, tip.viewAt(records.length)])
        for (const index of members)
          expect(readMember(view, 0n, index)?.isCarrot).toBe(areCarrot[index]);
    });
    expect(later.transactions).toBe(0);
    expect(base).toHaveBeenCalledTimes(transactions);
    expect(origin).toHaveBeenCalledTimes(transactions);
    expect(whole).not.toHaveBeenCalled();
  });

  test('parses each transaction of a block that is not stored yet once', async () => {
    const view = await viewOf(1);
    const members = ofTransactions();
    const lookAll = () => members.map((index) => readMember(view, 0n, index));
    const { transactions } = await countParses(lookAll);
    expect(transactions).toBeGreaterThan(0);
    expect(transactions).toBeLessThan(members.length);
    expect(await countParses(lookAll)).toEqual({ blocks: 0, transactions: 0 });
  });

  test('reads an output again when its block has been replaced', async () => {
    const { store } = await tipOf(records.length);
    const [index = 0] = ofTransactions();
    const height = store.output(0n, index)?.height ?? 0;
    const outputs = new CarrotOutputs(store);
    const isCarrot = outputs.has(index, height);
    const read = store.blockMeta.bind(store);
    const base = jest.spyOn(store, 'txBase');
    store.blockMeta = (at) => {
      const meta = read(at);
      return meta && { ...meta, id: new Uint8Array(32).fill(9) };
    };
    expect([outputs.has(index, height), outputs.has(index, height)]).toEqual([isCarrot, isCarrot]);
    expect(base).toHaveBeenCalledTimes(1);
  });

  test('a damaged transaction is told by the check, not by what reads ahead', async () => {
    const { store, tip } = await tipOf(records.length);
    const members = ofTransactions();
    store.txBase = () => undefined;
    await tip.atTip.prefetch([withRings(1, members)], true);
    const [first = 0] = members;
    expect(() => readMember(tip.atTip, 0n, first)).toThrow(
      expect.objectContaining({ code: 'damaged' }),
    );
  });
});
