import { readFileSync } from 'node:fs';

/** The recorded transactions: every string of values is base64 of 32-byte elements. */
interface RecordedFile {
  readonly outputs: Readonly<Record<string, string>>;
  readonly transactions: readonly {
    readonly message: string;
    readonly inputs: readonly Readonly<
      Record<'ring' | 'pseudoOut' | 'keyImage' | 's' | 'c1' | 'D', string>
    >[];
  }[];
}

const FILE = new URL(
  '../../../../packages/crypto/fixtures/regtest-transactions.json',
  import.meta.url,
);

function elements(base64 = ''): string[] {
  return Buffer.from(base64, 'base64').toString('hex').match(/.{64}/g) ?? [];
}

/** Returns a ring signature of a recorded transaction; byte arrays are hex. */
export function recordedClsag(): unknown {
  const { outputs, transactions } = JSON.parse(readFileSync(FILE, 'utf8')) as RecordedFile;
  const [transaction] = transactions;
  const input = transaction?.inputs[0];
  if (transaction === undefined || input === undefined) throw new Error('no recorded signature');
  const one = (base64: string) => elements(base64)[0];
  return {
    message: one(transaction.message),
    ring: input.ring.split(' ').map((index) => {
      const [key, commitment] = elements(outputs[index]);
      return { key, commitment };
    }),
    pseudoOut: one(input.pseudoOut),
    keyImage: one(input.keyImage),
    s: elements(input.s),
    c1: one(input.c1),
    D: one(input.D),
  };
}
