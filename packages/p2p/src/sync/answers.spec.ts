import { Yielder } from '@monero-node/base';
import { tryParseBlock } from '@monero-node/blockchain';
import { parseBlock, toHex } from '@monero-node/codec';
import { Violation } from '../peers/bans/violation.ts';
import { FakeChain, fakeBlock } from '../testing/fake-chain.ts';
import { checkObjects } from './answers.ts';
import { PeerChain } from './peer-chain.ts';

/** As many transactions as the smallest limit on the bytes of a block lets it list. */
const TXS = 18_750;

const chain = new FakeChain();
const genesis = chain.idAt(0);

function idOf(number: number): Uint8Array {
  const id = new Uint8Array(32);
  new DataView(id.buffer).setUint32(0, number);
  return id;
}

test('a block that lists 18,750 transactions is read and hashed in slices', async () => {
  const txHashes = Array.from({ length: TXS }, (_, i) => idOf(i));
  const blob = fakeBlock({ id: genesis, height: 0 }, { txHashes });
  let slices = 0;
  const nextSlice = async (): Promise<void> => void slices++;
  const parsed = await tryParseBlock(
    chain.network,
    blob,
    new Yielder({ sliceMs: 0 }, { nextSlice }),
  );
  expect(parsed?.id).toEqual(parseBlock(blob).id);
  expect(slices).toBeGreaterThan(TXS / 256);
});

test('bytes that are not a block are undefined', async () => {
  expect(await tryParseBlock(chain.network, Uint8Array.of(1, 2, 3), new Yielder())).toBeUndefined();
});

test('the ids of a block that came with fewer transactions are not read', async () => {
  const txHashes = Array.from({ length: TXS }, (_, i) => idOf(i));
  const blob = fakeBlock({ id: genesis, height: 0 }, { txHashes });
  let slices = 0;
  const yielder = new Yielder({ sliceMs: 0 }, { nextSlice: async () => void slices++ });
  expect(await tryParseBlock(chain.network, blob, yielder, TXS - 1)).toBeUndefined();
  expect(slices).toBeLessThan(4);
});

test.each([
  [1, 'a block that does not decode, or lacks transactions'],
  [3, 'a block with more transactions than it lists'],
])(
  'an answer with %i transactions of a block that lists two is a violation',
  async (count, reason) => {
    const blob = fakeBlock({ id: genesis, height: 0 }, { txHashes: [idOf(1), idOf(2)] });
    const ids = [toHex(parseBlock(blob).id)];
    const txs = Array.from({ length: count }, () => new Uint8Array(40));
    const answer = await checkObjects(
      [{ block: blob, block_weight: 0, pruned: false, txs }],
      { start: 1, ids },
      new PeerChain(0, [toHex(genesis), ...ids]),
      chain.network,
    );
    expect(answer).toMatchObject({ reason });
  },
);

test('an answer whose transactions are shorter than any can be is a violation', async () => {
  const blob = fakeBlock({ id: genesis, height: 0 }, { txHashes: [idOf(1), idOf(2)] });
  const ids = [toHex(parseBlock(blob).id)];
  const answer = (sizes: readonly number[]) =>
    checkObjects(
      [{ block: blob, block_weight: 0, pruned: false, txs: sizes.map((n) => new Uint8Array(n)) }],
      { start: 1, ids },
      new PeerChain(0, [toHex(genesis), ...ids]),
      chain.network,
    );
  expect(await answer([40, 40])).not.toBeInstanceOf(Violation);
  expect(await answer([40, 39])).toMatchObject({ reason: 'a transaction that is too short' });
});
