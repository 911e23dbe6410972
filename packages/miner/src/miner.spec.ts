import { jest } from '@jest/globals';
import { settle } from '@monero-node/base/testing';
import { parseBlock } from '@monero-node/codec';
import type { Machine } from './machine.ts';
import { address, setUp, start } from './testing/test-miner.ts';

test('searches different nonces of one template per thread and submits a block once', async () => {
  const { miner, searcher, submitted } = setUp();
  expect(await miner.start(start)).toBe(true);
  expect(await miner.start(start)).toBe(false);
  await settle();
  expect(searcher.open).toHaveLength(2);
  const [a, b] = searcher.open;
  expect(a?.task.startNonce).not.toBe(b?.task.startNonce);
  expect(miner.status).toMatchObject({ active: true, threads: 2, blockReward: 1n, address });
  // Both find a nonce at the same moment: the second is too late.
  a?.found(123);
  b?.found(456);
  await settle();
  expect(submitted.map((blob) => parseBlock(blob).block.nonce)).toEqual([123]);
  expect(searcher.open.map(({ task }) => task.request.blob[7])).toEqual([2, 2]);
  expect(miner.status.blockReward).toBe(2n);
  await miner.stop();
  expect(searcher).toMatchObject({ open: [], released: 1 });
  expect(miner.status).toMatchObject({ active: false, speed: 0, threads: 0 });
});

test('ends the search when a new block arrives', async () => {
  const { miner, searcher, state, blockchain } = setUp();
  await miner.start({ ...start, threads: 1 });
  await settle();
  state.height = 9;
  blockchain.emit('blocks-added', []);
  await settle();
  expect(searcher.all.map(({ request }) => request.blob[7])).toEqual([1, 9]);
  expect(searcher.open).toHaveLength(1);
  await miner.stop();
  blockchain.emit('blocks-added', []);
  await settle();
  expect(searcher.open).toHaveLength(0);
});

test('searches again after a block is rejected', async () => {
  const { miner, searcher, submitted, state } = setUp();
  state.isTaken = false;
  await miner.start({ ...start, threads: 1 });
  await settle();
  searcher.open.pop()?.found(5);
  await settle();
  expect(submitted).toHaveLength(1);
  expect(searcher.open).toHaveLength(1);
  await miner.stop();
});

test('waits for a template', async () => {
  const { miner, searcher, state, blockchain } = setUp();
  state.hasTemplate = false;
  await miner.start(start);
  await settle();
  expect(searcher.all).toHaveLength(0);
  state.hasTemplate = true;
  blockchain.emit('popped', { height: 1, removed: [] });
  await settle();
  expect(searcher.open).toHaveLength(2);
  await miner.stop();
});

describe('a pause', () => {
  test('ends the searches, which resume with other nonces of the same template', async () => {
    const { miner, searcher } = setUp();
    await miner.start(start);
    await settle();
    miner.pause();
    await settle();
    expect(searcher.open).toHaveLength(0);
    expect(miner.status).toMatchObject({ active: true, threads: 2, blockReward: 1n });
    miner.resume();
    await settle();
    expect(searcher.open).toHaveLength(2);
    expect(searcher.all.map(({ request }) => request.blob[7])).toEqual([1, 1, 1, 1]);
    expect(new Set(searcher.all.map(({ startNonce }) => startNonce)).size).toBe(4);
    await miner.stop();
  });

  test('lasts until every caller has resumed, through new templates', async () => {
    const { miner, searcher, state, blockchain } = setUp();
    await miner.start({ ...start, threads: 1 });
    await settle();
    miner.pause();
    miner.pause();
    state.height = 9;
    blockchain.emit('blocks-added', []);
    miner.resume();
    await settle();
    expect(searcher.open).toHaveLength(0);
    miner.resume();
    await settle();
    expect(searcher.all.map(({ request }) => request.blob[7])).toEqual([1, 9]);
    await miner.stop();
  });

  test('applies to mining started during it, and ends with a stop', async () => {
    const { miner, searcher } = setUp();
    miner.pause();
    expect(await miner.start(start)).toBe(true);
    await settle();
    expect(searcher.all).toHaveLength(0);
    await miner.stop();
    expect(await miner.start(start)).toBe(true);
    miner.resume();
    await settle();
    expect(searcher.open).toHaveLength(2);
    await miner.stop();
  });

  test('lasts while a block found is verified, whatever the result', async () => {
    for (const isTaken of [true, false]) {
      const { miner, searcher, state, holdSubmit } = setUp();
      state.isTaken = isTaken;
      const letGo = holdSubmit();
      await miner.start({ ...start, threads: 2 });
      await settle();
      searcher.open.pop()?.found(1);
      await settle();
      expect(searcher.open).toHaveLength(0);
      letGo();
      await settle();
      expect(searcher.open).toHaveLength(2);
      await miner.stop();
    }
  });
});

test('waits for an idle machine in the background', async () => {
  const busy: Machine = {
    processorTimes: () => ({ total: 100, idle: 0 }),
    processTime: () => 0,
    isOnBattery: () => Promise.resolve(false),
  };
  const { miner, searcher } = setUp({ machine: busy });
  await miner.start({ ...start, background: true });
  await settle();
  expect(searcher.all).toHaveLength(0);
  expect(miner.status.background).toEqual({
    idleThreshold: 90,
    minIdleSeconds: 10,
    target: 40,
    ignoreBattery: false,
  });
  await miner.stop();
  expect(miner.status.background).toBeUndefined();
});

test('ends the rest between two hashes on a stop in the background', async () => {
  jest.useFakeTimers();
  try {
    const idle: Machine = {
      processorTimes: () => ({ total: Date.now(), idle: Date.now() }),
      processTime: () => 0,
      isOnBattery: () => Promise.resolve(false),
    };
    const { miner, searcher, blockchain } = setUp({ machine: idle });
    await miner.start({ ...start, background: true });
    await jest.advanceTimersByTimeAsync(10_000);
    expect(searcher.open).toHaveLength(2);
    blockchain.emit('blocks-added', []);
    await jest.advanceTimersByTimeAsync(100);
    expect(searcher.open).toHaveLength(0);
    await miner.stop();
    await jest.advanceTimersByTimeAsync(1000);
    expect(searcher.all).toHaveLength(2);
  } finally {
    jest.useRealTimers();
  }
});
