import { type ParsedTransaction, toHex } from '@monero-node/codec';
import { ConsensusError } from '@monero-node/consensus';
import { spend } from '../testing/test-pool.ts';
import { type IntakePool, PeerIntake } from './peer-intake.ts';

const like = spend(2);

/** A transaction of RingCT type 7, or of the type that it is like, with so many inputs. */
function withInputs(count: number, type: 6 | 7): ParsedTransaction {
  const { rct, inputs } = like.tx;
  const [input] = inputs;
  if (rct === undefined || input === undefined) throw new Error('no RingCT transaction');
  const tx = {
    ...like.tx,
    inputs: Array.from({ length: count }, () => input),
    rct: { ...rct, type },
  };
  return { ...like, tx };
}

/** Returns how many transactions are verified at a time, of those that the bytes of a message are the numbers of. */
async function groups(all: readonly ParsedTransaction[], bad?: number): Promise<number[]> {
  const sizes: number[] = [];
  let running = 0;
  const pool: IntakePool = {
    add: async (tx) => {
      running++;
      await Promise.resolve();
      if (running > 0) sizes.push(running);
      running = 0;
      const id = new Uint8Array(32);
      return tx === all[bad ?? -1]
        ? { status: 'refused', id, error: new ConsensusError('bad-membership-proof') }
        : { status: 'known', id, where: 'pool', relay: 'none' };
    },
    transaction: () => undefined,
    emit: () => true,
  };
  const decode = ([at]: Uint8Array) => all[at as number] as ParsedTransaction;
  const intake = new PeerIntake(pool, decode);
  const txs = all.map((_, i) => Uint8Array.of(i));
  const isGood = await intake.receive({ txs, fluff: true, connectionId: 'ab' }, () => true);
  expect(isGood).toBe(bad === undefined);
  return sizes;
}

const many = (count: number, inputs: number, type: 6 | 7): ParsedTransaction[] =>
  Array.from({ length: count }, () => withInputs(inputs, type));

test('transactions of a message are verified eight at a time, those with membership proofs by their inputs', async () => {
  expect(toHex(like.id)).toHaveLength(64);
  expect(await groups(many(20, 100, 6))).toEqual([8, 8, 4]);
  expect(await groups(many(10, 2, 7))).toEqual([8, 2]);
  expect(await groups(many(5, 10, 7))).toEqual([3, 2]);
  expect(await groups(many(3, 128, 7))).toEqual([1, 1, 1]);
  // Others do not count.
  expect(await groups([...many(1, 30, 7), ...many(3, 100, 6), ...many(1, 3, 7)])).toEqual([4, 1]);
});

test('after an offense nothing more of the message is verified', async () => {
  expect(await groups(many(3, 128, 7), 0)).toEqual([1]);
  expect(await groups(many(20, 1, 6), 9)).toEqual([8, 8]);
});
