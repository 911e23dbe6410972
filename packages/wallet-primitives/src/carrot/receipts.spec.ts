import { fromHex, toHex } from '@monero-node/codec';
import { createBackend } from '@monero-node/crypto';
import { accountFromSeed } from '../keys/account.ts';
import type { AnyAccount } from '../keys/carrot-account.ts';
import { accountAddress, subaddressKeys } from '../keys/subaddress.ts';
import {
  anchorOf,
  recordedCarrotChains,
  type RecordedOutputs,
} from '../testing/carrot-fixtures.ts';
import { specialAnchor } from './enote.ts';
import { makeCoinbaseEnote, makePayment, makeSelfSend } from './make-enote.ts';
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

describe.each(chains)('$name', ({ name, transactions, wallets }) => {
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

  test('the sender’s half makes the same outputs, byte for byte', () => {
    const made = { coinbase: 0, payment: 0, selfSend: 0 };
    for (const { account, receipts } of wallets) {
      for (const { transaction, index, amount, subaddress, paymentId } of receipts) {
        const outputs = transactions[transaction]!;
        const enote = outputs.enotes[index]!;
        const anchor = anchorOf(enote, account.viewSecret);
        const isMain = subaddress.account === 0 && subaddress.index === 0;
        const keys = subaddressKeys(account, subaddress, backend);
        const kind = isMain ? 'standard' : 'subaddress';
        const payment = { destination: { ...keys, kind } as const, amount, anchor };
        if (outputs.isCoinbase) {
          const height = Number(Buffer.from(enote.inputContext).readBigUInt64LE(1));
          expect(makeCoinbaseEnote(payment, height, backend)).toEqual(enote);
          made.coinbase++;
          continue;
        }
        const { ephemeralPublicKey, inputContext } = enote;
        if (toHex(specialAnchor(account.viewSecret, enote)) === toHex(anchor)) {
          const own = (['payment', 'change'] as const).map((type) => {
            const selfSend = { at: subaddress, amount, type };
            return makeSelfSend(selfSend, ephemeralPublicKey, inputContext, { account, backend });
          });
          expect(own.map((each) => each.enote)).toContainEqual(enote);
          made.selfSend++;
          continue;
        }
        const ids = [undefined, ...(paymentId === undefined ? [] : [fromHex(paymentId)])];
        const paid = ids.map((id) => {
          const destination = { ...payment.destination, ...(id && { paymentId: id }) };
          return makePayment({ ...payment, destination }, inputContext, backend).enote;
        });
        expect(paid).toContainEqual(enote);
        made.payment++;
      }
    }
    // Coinbases, payments, and outputs to oneself.
    const wanted = {
      'long-chain': [106, 67, 46],
      'short-chain': [105, 25, 23],
      'wide-tree': [74, 4, 3],
    };
    expect(Object.values(made)).toEqual(wanted[name as keyof typeof wanted]);
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
