import { EventEmitter } from 'node:events';
import { jest } from '@jest/globals';
import { silentLogger } from '@monero-node/base';
import { TemplateError, type BlockTemplate, type ChainEvents } from '@monero-node/blockchain';
import { createTransactionKey } from '@monero-node/crypto';
import { EXTRA_NONCE_SIZE } from './work.ts';
import { WorkSource } from './work-source.ts';

const key = createTransactionKey(3n).publicKey;
const address = { spendKey: key, viewKey: key };

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function templateOf(height: number, fees: bigint): BlockTemplate {
  return {
    block: {
      majorVersion: 16,
      minorVersion: 16,
      timestamp: 1_700_000_000,
      nonce: 0,
      prevId: new Uint8Array(32).fill(height),
      minerTx: {
        version: 2,
        unlockTime: BigInt(height + 60),
        inputs: [{ kind: 'gen', height }],
        outputs: [{ amount: 5n, target: { kind: 'tagged-key', key, viewTag: 1 } }],
        extra: Uint8Array.of(1, ...key, 2, EXTRA_NONCE_SIZE, ...new Uint8Array(EXTRA_NONCE_SIZE)),
        rct: { type: 0, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] },
      },
      txHashes: [],
    },
    height,
    fees,
    difficulty: 10n,
    expectedReward: 0n,
    weight: 100,
    transactionKey: key,
    pow: { algorithm: 'randomx', commitment: false },
    seedHeight: 0,
    seedHash: new Uint8Array(32),
  };
}

/** Returns a source on a chain and a pool that a test changes, and the heights of the work that it has given out. */
function setUp() {
  const blockchain = new EventEmitter<ChainEvents>();
  const state = { height: 1, fees: 1000n, revision: 1, failures: 0, made: 0, refused: false };
  const warn = jest.fn();
  const given: [height: number, fees: bigint][] = [];
  const templates = {
    get revision() {
      return state.revision;
    },
    create: async () => {
      state.made++;
      if (state.refused) throw new TemplateError('address', 'not of the subgroup');
      if (state.failures > 0) {
        state.failures--;
        throw new TemplateError('tip-moved', 'none');
      }
      return templateOf(state.height, state.fees);
    },
  };
  const deps = { templates, blockchain, logger: { ...silentLogger, warn }, now: () => Date.now() };
  const source = new WorkSource(deps, 2, ({ work }) => {
    given.push(work === undefined ? [-1, 0n] : [work.template.height, work.template.fees]);
  });
  source.start();
  const pass = (seconds: number) => jest.advanceTimersByTimeAsync(1000 * seconds);
  const grow = (): void => {
    state.height++;
    blockchain.emit('blocks-added', []);
  };
  const enter = async () => {
    const payout = source.enter(address);
    if (payout === undefined) throw new Error('no place');
    await source.prepare(payout);
    return payout;
  };
  return { source, state, given, pass, grow, enter, warn };
}

test('work is renewed with each tip, while there are rigs', async () => {
  const { source, given, pass, grow, enter, state } = setUp();
  grow();
  await pass(0);
  expect(state.made).toBe(0);
  const payout = await enter();
  const { work } = payout;
  grow();
  expect(work !== undefined && source.isCurrent(work)).toBe(false);
  await pass(0);
  expect(given).toEqual([
    [2, 1000n],
    [3, 1000n],
  ]);
  expect(payout.work !== undefined && source.isCurrent(payout.work)).toBe(true);
  source.leave(payout);
  grow();
  await pass(0);
  expect(given).toHaveLength(2);
  source.stop();
});

test('work is made once for all rigs that come at the same time', async () => {
  const { source, enter, state } = setUp();
  const payouts = await Promise.all([enter(), enter(), enter()]);
  expect(payouts.every(({ work }) => work !== undefined)).toBe(true);
  expect(state.made).toBe(1);
  source.stop();
});

test('and when fees have risen by 2 %, at most every 30 seconds', async () => {
  const { source, given, pass, enter, state } = setUp();
  await enter();
  state.revision++;
  state.fees = 1019n;
  await pass(31);
  expect(given).toHaveLength(1);
  state.revision++;
  state.fees = 1020n;
  await pass(20);
  expect(given).toHaveLength(1);
  await pass(10);
  expect(given).toEqual([
    [1, 1000n],
    [1, 1020n],
  ]);
  await pass(31);
  expect(state.made).toBe(3);
  source.stop();
});

test('and after two minutes, for another time and all nonces', async () => {
  const { source, given, pass, enter } = setUp();
  await enter();
  await pass(119);
  expect(given).toHaveLength(1);
  await pass(31);
  expect(given).toHaveLength(2);
  source.stop();
});

test('is tried again when no template can be made', async () => {
  const { source, given, pass, enter, state } = setUp();
  state.failures = 2;
  expect((await enter()).work).toBeUndefined();
  await pass(4);
  expect(given).toHaveLength(0);
  await pass(7);
  expect(given).toHaveLength(1);
  source.stop();
});

test('is not tried again for an address that no block can pay, and told of once', async () => {
  const { source, pass, enter, state, warn } = setUp();
  state.refused = true;
  for (let i = 0; i < 3; i++) {
    const payout = await enter();
    expect(payout).toMatchObject({ work: undefined, isRefused: true });
    source.leave(payout);
  }
  await pass(120);
  expect(state.made).toBe(3);
  expect(warn).toHaveBeenCalledTimes(1);
  source.stop();
});

test('is taken away when the next block cannot pay the address any more', async () => {
  const { source, given, pass, grow, enter, state } = setUp();
  const payout = await enter();
  state.refused = true;
  grow();
  await pass(0);
  expect(payout).toMatchObject({ work: undefined, isRefused: true });
  expect(given).toEqual([
    [1, 1000n],
    [-1, 0n],
  ]);
  source.stop();
});

test('that is for the tip is not made again when that of another address is', async () => {
  const { source, pass, enter, state } = setUp();
  await enter();
  state.failures = 1;
  const other = source.enter({ spendKey: createTransactionKey(1n).publicKey, viewKey: key });
  if (other === undefined) throw new Error('no place');
  await source.prepare(other);
  await pass(6);
  expect(other.work).toBeDefined();
  // The first, the failure, and the second one again.
  expect(state.made).toBe(3);
  source.stop();
});

test('has a bounded number of addresses', () => {
  const { source } = setUp();
  const [one, other] = [1n, 2n].map((secret) => ({
    spendKey: createTransactionKey(secret).publicKey,
    viewKey: key,
  }));
  expect(source.enter(address)).toBeDefined();
  const payout = source.enter(one ?? address);
  expect(payout).toBeDefined();
  expect(source.enter(other ?? address)).toBeUndefined();
  if (payout !== undefined) source.leave(payout);
  expect(source.enter(other ?? address)).toBeDefined();
  source.stop();
});
