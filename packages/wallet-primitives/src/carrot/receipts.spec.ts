import { toHex } from '@monero-node/codec';
import { createBackend } from '@monero-node/crypto';
import { accountFromSeed } from '../keys/account.ts';
import type { AnyAccount } from '../keys/carrot-account.ts';
import { accountAddress } from '../keys/subaddress.ts';
import { recordedCarrotChains, type RecordedOutputs } from '../testing/carrot-fixtures.ts';
import { CarrotScanner } from './scan.ts';

const backend = createBackend();
const chains = recordedCarrotChains();
const lookahead = { accounts: 2, addresses: 20 };

function scanAll(account: AnyAccount, transactions: readonly RecordedOutputs[]) {
  const scanner = new CarrotScanner({ account, backend, lookahead });
  return transactions.flatMap((outputs, transaction) => {
    const found = outputs.isCoinbase ? scanner.scanCoinbase(outputs.enotes) : scanner.scan(outputs);
    return found.map((output) => ({ ...output, transaction }));
  });
}

test('the recordings have 453 receipts', () => {
  const counts = chains.map(({ wallets }) => wallets.map(({ receipts }) => receipts.length));
  expect(counts.flat().reduce((a, b) => a + b)).toBe(453);
});

describe.each(chains)('$name', ({ transactions, wallets }) => {
  test.each(wallets)('$name receives what upstream’s wallet does, and nothing else', (wallet) => {
    const found = scanAll(wallet.account, transactions);
    const byPlace = <T extends { transaction: number; index: number }>(list: readonly T[]) =>
      [...list].sort((a, b) => a.transaction - b.transaction || a.index - b.index);
    const got = byPlace(found).map(({ transaction, index, amount, subaddress, keyImage }) => {
      return { transaction, index, amount, subaddress, keyImage: toHex(keyImage!) };
    });
    const wanted = byPlace(wallet.receipts).map(
      ({ transaction, index, amount, subaddress, keyImage }) => {
        return { transaction, index, amount, subaddress, keyImage };
      },
    );
    expect(got).toEqual(wanted);
    // The change of such a payment comes with no payment id.
    const ids = new Map(
      wallet.receipts.map(({ transaction, paymentId }) => [transaction, paymentId]),
    );
    for (const { transaction, paymentId, type } of found) {
      const wantedId = type === 'payment' ? ids.get(transaction) : undefined;
      expect([transaction, paymentId && toHex(paymentId)]).toEqual([transaction, wantedId]);
    }
  });

  test('the view secret alone finds the same, without key images', () => {
    const [{ account, receipts }] = wallets as [(typeof wallets)[number]];
    const { viewSecret, spendKey } = account;
    const found = scanAll({ viewSecret, spendKey }, transactions);
    expect(found).toHaveLength(receipts.length);
    expect(found.every(({ keyImage }) => keyImage === undefined)).toBe(true);
  });

  test('wrong keys find nothing', () => {
    const [first, second] = wallets.map(({ account }) => account);
    const stranger = accountFromSeed(new Uint8Array(32).fill(9));
    expect(scanAll(stranger, transactions)).toEqual([]);
    const mixed = { viewSecret: first!.viewSecret, spendKey: second!.spendKey };
    expect(scanAll(mixed, transactions)).toEqual([]);
  });
});

test('the addresses of the wallets', () => {
  for (const { account, addresses } of chains.flatMap(({ wallets }) => wallets)) {
    const texts = addresses.map((_, index) =>
      accountAddress(account, { network: 'mainnet', at: { account: 0, index }, backend }),
    );
    expect(texts).toEqual(addresses);
  }
});
