import {
  outlinePackages,
  outlineTransactions,
  type PackageOutlines,
  type TransactionBytes,
  type TransactionOutlines,
} from '@monero-node/codec';

/** Bytes that are copied for the thread at once, in less than a millisecond. */
export const MESSAGE_BYTES = 1024 * 1024;

/** What a thread is to outline: transactions, or packages of a bootstrap file with many. */
export type OutlineJob =
  { readonly txs: readonly TransactionBytes[] } | { readonly packages: readonly Uint8Array[] };

/** A part of a job, for the thread. */
export interface OutlineRequest {
  readonly kind: 'transactions' | 'packages';
  /** Transactions or packages, joined, in memory that may be shared: it must not change until the job is done. */
  readonly bytes: Uint8Array;
  /** Bytes of each. */
  readonly sizes: Uint32Array;
  /** For each transaction the 32-byte hash of the part it lacks, zeros if it lacks none; none for packages. */
  readonly prunableHashes: Uint8Array;
  /** Whether the job is complete. */
  readonly isLast: boolean;
}

/**
 * Makes the requests for a job, with copies of its bytes.
 *
 * @param take returns an array of as many bytes for the copies
 */
export function* packJob(
  job: OutlineJob,
  take: (size: number) => Uint8Array,
): Iterable<OutlineRequest> {
  const kind = 'packages' in job ? 'packages' : 'transactions';
  const items: readonly TransactionBytes[] =
    'packages' in job ? job.packages.map((blob) => ({ blob })) : job.txs;
  let first = 0;
  do {
    let end = first;
    let size = 0;
    while (end < items.length && (end === first || size < MESSAGE_BYTES)) {
      size += items[end]?.blob.length ?? 0;
      end++;
    }
    yield { kind, ...join(items.slice(first, end), take(size)), isLast: end === items.length };
    first = end;
  } while (first < items.length);
}

function join(
  items: readonly TransactionBytes[],
  bytes: Uint8Array,
): Pick<OutlineRequest, 'bytes' | 'sizes' | 'prunableHashes'> {
  const isPruned = items.some(({ prunableHash }) => prunableHash !== undefined);
  const prunableHashes = new Uint8Array(isPruned ? 32 * items.length : 0);
  let end = 0;
  for (const [i, { blob, prunableHash }] of items.entries()) {
    bytes.set(blob, end);
    end += blob.length;
    if (prunableHash !== undefined) prunableHashes.set(prunableHash, 32 * i);
  }
  return { bytes, sizes: Uint32Array.from(items, ({ blob }) => blob.length), prunableHashes };
}

/** Returns a function that takes the requests of one job after another, and returns the outlines with the last of each. */
export function answerJobs(): (
  request: OutlineRequest,
) => TransactionOutlines | PackageOutlines | undefined {
  let items: TransactionBytes[] = [];
  return (request) => {
    // Not as arguments of one call, of which there can be too many.
    for (const item of unpack(request)) items.push(item);
    if (!request.isLast) return undefined;
    const whole = items;
    items = [];
    return request.kind === 'packages'
      ? outlinePackages(whole.map(({ blob }) => blob))
      : outlineTransactions(whole);
  };
}

function unpack({ bytes, sizes, prunableHashes }: OutlineRequest): TransactionBytes[] {
  let end = 0;
  return Array.from(sizes, (size, i) => {
    const blob = bytes.subarray(end, (end += size));
    const prunableHash = prunableHashes.subarray(32 * i, 32 * (i + 1));
    return prunableHash.some((byte) => byte !== 0) ? { blob, prunableHash } : { blob };
  });
}
