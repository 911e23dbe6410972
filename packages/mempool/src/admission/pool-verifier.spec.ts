import type { Blockchain } from '@monero-node/blockchain';
import { ConsensusError } from '@monero-node/consensus';
import { PoolVerifier } from './pool-verifier.ts';
import { spend } from '../testing/test-pool.ts';

const tipOf = (value: number) => ({ id: new Uint8Array(32).fill(value) });

/** Returns a verifier on a chain that refuses all transactions, and the state of that chain. */
function refusing() {
  const state = { version: 15, tip: tipOf(1), asked: 0, pause: Promise.resolve() };
  const transactionVerifier = {
    get version() {
      return state.version;
    },
    get tip() {
      return state.tip;
    },
    async verifyOwnRules() {
      const { version } = state;
      state.asked++;
      await state.pause;
      throw new ConsensusError('rct-type', `under version ${version}`);
    },
  };
  const chain = {
    transactionVerifier,
    nextVersion: () => state.version,
    baseReward: () => 0n,
    weightState: () => ({ effectiveMedian: 300_000, longTermMedian: 300_000 }),
  };
  const verifier = new PoolVerifier(chain as unknown as Blockchain);
  const refusal = async () => {
    const verdict = await verifier.verify(spend(2), {
      fromBlock: false,
      conflicts: () => false,
    });
    return [verdict?.error?.detail, verdict?.version];
  };
  return { state, refusal };
}

test('a refusal is remembered only for the fork version and the tip that it was made at', async () => {
  const { state, refusal } = refusing();
  expect([await refusal(), await refusal()]).toEqual(Array(2).fill(['under version 15', 15]));
  expect(state.asked).toBe(1);
  // Nobody has called tipChanged() yet.
  state.version = 16;
  expect(await refusal()).toEqual(['under version 16', 16]);
  state.tip = tipOf(2);
  expect(await refusal()).toEqual(['under version 16', 16]);
  expect(state.asked).toBe(3);
});

test('a verification under way is not shared with requests under another fork version', async () => {
  const { state, refusal } = refusing();
  const running = [refusal(), refusal()];
  state.version = 16;
  running.push(refusal());
  expect(await Promise.all(running)).toEqual([
    ['under version 15', 15],
    ['under version 15', 15],
    ['under version 16', 16],
  ]);
  expect(state.asked).toBe(2);
});

/** Returns a verifier on a chain whose proofs wait for those who sent them to leave, and then fail as told. */
function waiting(failureOf: (left: AbortSignal) => unknown) {
  const state = { asked: 0 };
  const transactionVerifier = {
    version: 15,
    tip: tipOf(1),
    verifyOwnRules: (_: unknown, { left }: { left: AbortSignal }) => {
      state.asked++;
      return new Promise((_resolve, reject) => {
        const fail = () => setImmediate(() => reject(failureOf(left) as Error));
        left.addEventListener('abort', fail);
      });
    },
  };
  const chain = {
    transactionVerifier,
    nextVersion: () => 15,
    baseReward: () => 0n,
    weightState: () => ({ effectiveMedian: 300_000, longTermMedian: 300_000 }),
  };
  const verifier = new PoolVerifier(chain as unknown as Blockchain);
  const verify = (left: AbortSignal) =>
    verifier.verify(spend(2), { fromBlock: false, conflicts: () => false, stranger: { left } });
  return { state, verify };
}

test('who sends what others have sent and left has it verified anew', async () => {
  const { state, verify } = waiting((left) => left.reason);
  const [one, other] = [new AbortController(), new AbortController()];
  const first = verify(one.signal);
  one.abort(new Error('left'));
  const second = verify(other.signal);
  expect(await first).toBeUndefined();
  expect(state.asked).toBe(2);
  // The end of the first is not the end of the second: a third sender joins that.
  const third = verify(other.signal);
  expect(state.asked).toBe(2);
  other.abort(new Error('left'));
  expect([await second, await third]).toEqual([undefined, undefined]);
});

test('a fault of this node is none of those who have left', async () => {
  const { verify } = waiting(() => new Error('the disk is gone'));
  const one = new AbortController();
  const verdict = verify(one.signal);
  one.abort(new Error('left'));
  await expect(verdict).rejects.toThrow('the disk is gone');
});
