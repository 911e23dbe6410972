import { describe, expect, test } from '@jest/globals';
import {
  fromHex,
  parseAddress,
  parseTransaction,
  type ParsedTransaction,
} from '@monero-node/codec';
import { createBackend } from '@monero-node/crypto';
import {
  type Account,
  checkMessageSignature,
  checkPaymentProof,
  checkReserveProof,
  checkSpendProof,
  ProofError,
  readReserveProof,
} from '@monero-node/wallet-primitives';
import { numberOf, objectsOf, stringOf, type JsonObject } from '../harness/json.ts';
import type { RunningNode } from '../harness/monerod.ts';
import type { RunningWallet } from '../harness/wallet.ts';
import { chainTransactions, ringsOf } from './chain.ts';
import type { Parties } from './payments.ts';

const WAIT = 600_000;
const MESSAGE = 'as agreed: zażółć';
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export interface ProofScene {
  parties(): Parties;
  monerod(): RunningNode;
  /** Returns the id of the payment with this name. */
  paid(name: string): string;
  accountOf(wallet: RunningWallet): Promise<Account>;
}

/** Returns whether a check refuses, by its answer or with ProofError. */
function refuses(check: () => unknown): boolean {
  try {
    const answer = check();
    return answer === undefined || answer === false;
  } catch (error) {
    if (error instanceof ProofError) return true;
    throw error;
  }
}

/** Yields texts with one character changed after the header, at some places. */
function* changed(text: string, header: number): Iterable<string> {
  const places = 12;
  for (let i = 0; i < places; i++) {
    const at = header + Math.floor(((text.length - header - 1) * i) / (places - 1));
    const next = ALPHABET[(ALPHABET.indexOf(text[at] as string) + 1) % ALPHABET.length];
    yield text.slice(0, at) + next + text.slice(at + 1);
  }
  yield text.slice(0, -1);
  yield `${text}1`;
  yield text.slice(header);
  yield text.slice(0, header);
}

/** Tests the checks of proofs with those of real wallets. */
export function describeProofs(scene: ProofScene): void {
  const backend = createBackend();

  async function transactionOf(txid: string): Promise<ParsedTransaction> {
    const answer = await scene.monerod().rpc.path('/gettransactions', { txs_hashes: [txid] });
    const [tx] = objectsOf(answer, 'txs');
    return parseTransaction(fromHex(stringOf(tx as JsonObject, 'as_hex')));
  }

  describe('proofs of real wallets', () => {
    test.each([
      ['to a main address', (p: Parties) => p.payeeMain],
      ['to a subaddress', (p: Parties) => p.payeeAddresses[1]],
      [
        'to a main address and subaddresses, with additional keys',
        (p: Parties) => p.payeeAddresses[2],
      ],
      ['to a main address and subaddresses, with additional keys', (p: Parties) => p.payeeMain],
      ['to fifteen addresses, sixteen outputs', (p: Parties) => p.payeeAddresses[4]],
    ] as const)(
      'of a payment %s',
      async (name, addressOf) => {
        const parties = scene.parties();
        const txid = scene.paid(name);
        const text = addressOf(parties) as string;
        const transaction = await transactionOf(txid);
        const address = parseAddress(text);
        for (const [wallet, header] of [
          [parties.payer, 'OutProofV2'],
          [parties.payee, 'InProofV2'],
        ] as const) {
          const asked = { txid, address: text, message: MESSAGE };
          const signature = stringOf(await wallet.call('get_tx_proof', asked), 'signature');
          expect(signature.startsWith(header)).toBe(true);
          const theirs = await parties.payer.call('check_tx_proof', { ...asked, signature });
          const options = { transaction, address, message: MESSAGE, backend };
          const ours = checkPaymentProof({ ...options, signature });
          expect(ours).toBe(BigInt(numberOf(theirs, 'received')));
          expect(ours).toBeGreaterThan(0n);
          const wrong = { ...options, message: 'other', signature };
          const many = transaction.tx.outputs.length > 2;
          expect(refuses(() => checkPaymentProof(wrong))).toBe(true);
          for (const other of many ? [] : changed(signature, header.length)) {
            expect(refuses(() => checkPaymentProof({ ...options, signature: other }))).toBe(true);
          }
          const stranger = parseAddress(parties.payerMain);
          expect(
            refuses(() => checkPaymentProof({ ...options, address: stranger, signature })),
          ).toBe(true);
        }
      },
      WAIT,
    );

    test(
      'of a spend',
      async () => {
        const { payer } = scene.parties();
        const txid = scene.paid('to two main addresses');
        const transaction = await transactionOf(txid);
        const rings = await ringsOf(scene.monerod(), transaction);
        const asked = { txid, message: MESSAGE };
        const signature = stringOf(await payer.call('get_spend_proof', asked), 'signature');
        const options = { transaction, rings, message: MESSAGE, signature, backend };
        expect(checkSpendProof(options)).toBe(true);
        expect(checkSpendProof({ ...options, message: '' })).toBe(false);
        for (const other of changed(signature, 'SpendProofV1'.length)) {
          expect(refuses(() => checkSpendProof({ ...options, signature: other }))).toBe(true);
        }
        expect(refuses(() => checkSpendProof({ ...options, rings: rings.slice(1) }))).toBe(true);
      },
      WAIT,
    );

    test(
      'of a reserve',
      async () => {
        const { payee, payeeMain } = scene.parties();
        const known = new Map(
          (await chainTransactions(scene.monerod())).map(({ transaction }) => [
            Buffer.from(transaction.id).toString('hex'),
            transaction,
          ]),
        );
        const images = new Set(
          [...known.values()].flatMap(({ tx }) =>
            tx.inputs.flatMap((input) =>
              input.kind === 'key' ? [Buffer.from(input.keyImage).toString('hex')] : [],
            ),
          ),
        );
        const answer = await payee.call('get_reserve_proof', { all: true, message: MESSAGE });
        const signature = stringOf(answer, 'signature');
        const asked = { address: payeeMain, message: MESSAGE, signature };
        const theirs = await payee.call('check_reserve_proof', asked);
        expect(theirs['good']).toBe(true);
        const check = (text: string, message = MESSAGE) =>
          checkReserveProof({
            proof: readReserveProof(text),
            address: parseAddress(payeeMain),
            message,
            transactionOf: (txId) => known.get(Buffer.from(txId).toString('hex')),
            isSpent: (image) => images.has(Buffer.from(image).toString('hex')),
            backend,
          });
        expect(check(signature)).toEqual({
          total: BigInt(numberOf(theirs, 'total')),
          spent: BigInt(numberOf(theirs, 'spent')),
        });
        expect(check(signature, 'other')).toBeUndefined();
        for (const other of changed(signature, 'ReserveProofV2'.length)) {
          expect(refuses(() => check(other))).toBe(true);
        }
      },
      WAIT,
    );

    test(
      'of a message',
      async () => {
        const { payee, payeeMain, payeeSecond } = scene.parties();
        for (const [text, place] of [
          [payeeMain, { account_index: 0, address_index: 0 }],
          [payeeSecond[2] as string, { account_index: 1, address_index: 2 }],
        ] as const) {
          for (const signedWith of ['spend', 'view'] as const) {
            const answer = await payee.call('sign', {
              data: MESSAGE,
              ...place,
              signature_type: signedWith,
            });
            const signature = stringOf(answer, 'signature');
            const address = parseAddress(text);
            const check = (other: string, message = MESSAGE) =>
              checkMessageSignature({ message, address, signature: other, backend });
            expect(check(signature)).toEqual({ version: 2, signedWith });
            expect(check(signature, 'other')).toBeUndefined();
            for (const other of changed(signature, 'SigV2'.length)) {
              expect(refuses(() => check(other))).toBe(true);
            }
          }
        }
      },
      WAIT,
    );
  });
}
