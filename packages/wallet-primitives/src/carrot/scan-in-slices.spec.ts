import { parseAddress } from '@monero-node/codec';
import { createBackend } from '@monero-node/crypto';
import { accountFromSeed } from '../keys/account.ts';
import { accountAddress } from '../keys/subaddress.ts';
import { makeCoinbaseEnote } from './make-enote.ts';
import { CarrotScanner } from './scan.ts';

const backend = createBackend();
const own = accountFromSeed(new Uint8Array(32).fill(1));
const other = accountFromSeed(new Uint8Array(32).fill(5));
const lookahead = { accounts: 1, addresses: 2 };
const scanner = new CarrotScanner({ account: own, backend, lookahead });

describe('a coinbase of many outputs, scanned in slices', () => {
  const enotes = Array.from({ length: 200 }, (_, i) => {
    const payment = {
      destination: parseAddress(
        accountAddress(i % 50 === 7 ? own : other, { network: 'mainnet', backend }),
      ),
      amount: 5n,
    };
    return makeCoinbaseEnote({ ...payment, anchor: new Uint8Array(16).fill(1 + i) }, 9, backend);
  });

  test('has the same outputs, and other work goes on meanwhile', async () => {
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const found = await scanner.scanCoinbaseInSlices(enotes);
    isDone = true;
    expect(found.map(({ index }) => index)).toEqual([7, 57, 107, 157]);
    expect(found).toEqual(scanner.scanCoinbase(enotes));
    expect(turns).toBeGreaterThan(2);
  });

  test('ends with the reason of the signal', async () => {
    const aborting = new AbortController();
    const scanning = scanner.scanCoinbaseInSlices(enotes, aborting.signal);
    setImmediate(() => aborting.abort(new Error('closed')));
    await expect(scanning).rejects.toThrow('closed');
  });
});
