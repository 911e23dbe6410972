import {
  outlinePackages,
  outlineTransactions,
  type PackageOutlines,
  type TransactionBytes,
  type TransactionOutlines,
} from '@monero-node/codec';

/** What a thread is to outline: transactions, or packages of a bootstrap file with many. */
export type OutlineJob =
  { readonly txs: readonly TransactionBytes[] } | { readonly packages: readonly Uint8Array[] };

/** A job in one piece, handed over to the thread. */
export interface OutlineRequest {
  readonly kind: 'transactions' | 'packages';
  /** All transactions or packages, joined. */
  readonly bytes: Uint8Array;
  /** Bytes of each. */
  readonly sizes: Uint32Array;
  /** For each transaction the 32-byte hash of the part it lacks, zeros if it lacks none; absent when none lacks any. */
  readonly prunableHashes?: Uint8Array | undefined;
}

/** Returns the request for a job, with a copy of its bytes. */
export function packJob(job: OutlineJob): OutlineRequest {
  if ('packages' in job) return { kind: 'packages', ...join(job.packages) };
  const { txs } = job;
  const joined = join(txs.map(({ blob }) => blob));
  const isPruned = txs.some(({ prunableHash }) => prunableHash !== undefined);
  const prunableHashes = isPruned ? new Uint8Array(32 * txs.length) : undefined;
  for (const [i, { prunableHash }] of txs.entries())
    if (prunableHash !== undefined) prunableHashes?.set(prunableHash, 32 * i);
  return { kind: 'transactions', ...joined, prunableHashes };
}

function join(parts: readonly Uint8Array[]): Pick<OutlineRequest, 'bytes' | 'sizes'> {
  const sizes = Uint32Array.from(parts, ({ length }) => length);
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return { bytes, sizes };
}

/** Does the job of a request. */
export function answerRequest(request: OutlineRequest): TransactionOutlines | PackageOutlines {
  const parts = split(request);
  if (request.kind === 'packages') return outlinePackages(parts);
  const { prunableHashes } = request;
  return outlineTransactions(
    parts.map((blob, i) => {
      const hash = prunableHashes?.subarray(32 * i, 32 * (i + 1));
      const isPruned = hash?.some((byte) => byte !== 0) === true;
      return isPruned ? { blob, prunableHash: hash } : { blob };
    }),
  );
}

function split({ bytes, sizes }: OutlineRequest): Uint8Array[] {
  let end = 0;
  return Array.from(sizes, (size) => bytes.subarray(end, (end += size)));
}
