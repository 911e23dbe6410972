import { Yielder } from '@monero-node/base';
import { DecodeError, encodeMessage } from '@monero-node/codec';
import { TXPOOL_COMPLEMENT } from './transactions.ts';
import { REQUEST_CHAIN } from './chain.ts';
import { decodeInSlices } from './decode.ts';

class Turns {
  taken = 0;
  yielder = (): Yielder =>
    new Yielder(
      { sliceMs: 0 },
      {
        nextSlice: () => {
          this.taken++;
          return Promise.resolve();
        },
      },
    );
}

const ids = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, i) => new Uint8Array(32).fill(i));

test('a long message is read in slices, a short one at once', async () => {
  const turns = new Turns();
  const short = encodeMessage(TXPOOL_COMPLEMENT, { hashes: ids(10) });
  expect(decodeInSlices(TXPOOL_COMPLEMENT, short, turns.yielder)).not.toBeInstanceOf(Promise);
  expect(turns.taken).toBe(0);
  const long = encodeMessage(TXPOOL_COMPLEMENT, { hashes: ids(100_000) });
  const { hashes } = await decodeInSlices(TXPOOL_COMPLEMENT, long, turns.yielder);
  expect(hashes).toHaveLength(100_000);
  expect(turns.taken).toBeGreaterThan(90);
});

test('more ids than a request can have are refused before any is built', async () => {
  const turns = new Turns();
  const body = encodeMessage(REQUEST_CHAIN, { block_ids: ids(130_000) });
  const reading = decodeInSlices(REQUEST_CHAIN, body, turns.yielder);
  await expect(reading).rejects.toThrow(DecodeError);
  expect(turns.taken).toBe(0);
});
