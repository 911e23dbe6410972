import { fromHex, parseTransaction, toHex, type ParsedTransaction } from '@monero-node/codec';
import { createBackend, createInlineVerificationPool } from '@monero-node/crypto';
import { readFixture } from '../testing/fixtures.ts';
import { verifyTransaction, type KnownRingMember } from './verify-transaction.ts';

// Every rule that it applies: packages/blockchain/src/verify/rules-of-transactions.spec.ts, where transactions are made and signed.

interface Case {
  readonly parsed: ParsedTransaction;
  readonly rings: readonly (readonly KnownRingMember[])[];
  readonly version: number;
}

const { withRings } = readFixture<{
  withRings: readonly {
    network: string;
    transaction: string;
    rings: readonly (readonly [string, string][])[];
  }[];
}>('mainnet.json.gz');

/** The forks under which the transactions with known rings were mined. */
const VERSIONS: Readonly<Record<string, number>> = { mainnet: 8, stagenet: 10, private: 16 };

const known: Case[] = withRings.map(({ network, transaction, rings }) => ({
  parsed: parseTransaction(new Uint8Array(Buffer.from(transaction, 'base64'))),
  rings: rings.map((ring) =>
    ring.map(([key, commitment]) => ({ key: fromHex(key), commitment: fromHex(commitment) })),
  ),
  version: VERSIONS[network] ?? 0,
}));
const [first] = known as [Case];
const backend = createBackend();

test.each(known.map((each) => [toHex(each.parsed.id), each] as const))(
  '%s is valid with its ring members and in no other order',
  async (_, { parsed, rings, version }) => {
    const options = { version, backend };
    expect(await verifyTransaction(parsed, rings, options)).toEqual({ ok: true });
    const reversed = rings.map((ring) => ring.toReversed());
    expect(await verifyTransaction(parsed, reversed, options)).toMatchObject({
      ok: false,
      code: 'bad-ring-signature',
    });
  },
);

test.each([0, 31, 33, 64])(
  'a ring member of %i bytes is none for any signature',
  async (length) => {
    const odd = new Uint8Array(length).fill(1);
    for (const { parsed, rings, version } of known) {
      for (const change of [{ key: odd }, { commitment: odd }]) {
        const changed = rings.map((ring) =>
          ring.map((member, i) => member && { ...member, ...(i === 1 ? change : {}) }),
        );
        const verdict = await verifyTransaction(parsed, changed, { version, backend });
        // Signatures of version 1 are made over keys alone.
        const isUnused = parsed.tx.version === 1 && 'commitment' in change;
        expect(verdict).toMatchObject(isUnused ? { ok: true } : { code: 'bad-ring-signature' });
      }
    }
  },
);

test('a pool may compute instead of a backend', async () => {
  const { parsed, rings, version } = first;
  const pool = createInlineVerificationPool(backend);
  expect(await verifyTransaction(parsed, rings, { version, pool })).toEqual({ ok: true });
  await pool.close();
  await expect(verifyTransaction(parsed, rings, { version, pool })).rejects.toMatchObject({
    code: 'closed',
  });
});

test('a refusal carries the error with id and sentence', async () => {
  const { parsed, rings } = first;
  const result = await verifyTransaction(parsed, rings, { version: 3, backend });
  expect(result).toMatchObject({
    ok: false,
    error: { name: 'ConsensusError', txId: toHex(parsed.id) },
  });
});

test('an option that it does not know is refused', async () => {
  await expect(verifyTransaction(first.parsed, [], { misspelled: 1 } as never)).rejects.toThrow(
    'verifyTransaction: no option "misspelled"; there are ',
  );
});
