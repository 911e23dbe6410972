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
  /** Where transactions or packages lie, in memory that may be shared: it must not change until the job is done. */
  readonly bytes: Uint8Array;
  /** Where each begins in `bytes`. */
  readonly starts: Uint32Array;
  /** Bytes of each. */
  readonly sizes: Uint32Array;
  /** For each transaction the 32-byte hash of the part it lacks, zeros if it lacks none; none for packages. */
  readonly prunableHashes: Uint8Array;
  /** Whether the job is complete. */
  readonly isLast: boolean;
}

/**
 * Makes the requests for a job, with copies of its bytes; without, when all of them are in the same shared memory.
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
  const shared = sharedBytes(items);
  if (shared !== undefined) {
    const starts = Uint32Array.from(items, ({ blob }) => blob.byteOffset);
    yield { kind, bytes: shared, starts, ...sizesOf(items), isLast: true };
    return;
  }
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

/** Returns all of the shared memory that has all items; undefined when none has. */
function sharedBytes(items: readonly TransactionBytes[]): Uint8Array | undefined {
  const memory = items[0]?.blob.buffer;
  const isShared = memory instanceof SharedArrayBuffer;
  if (!isShared || items.some(({ blob }) => blob.buffer !== memory)) return undefined;
  return new Uint8Array(memory);
}

function join(
  items: readonly TransactionBytes[],
  bytes: Uint8Array,
): Omit<OutlineRequest, 'kind' | 'isLast'> {
  const starts = new Uint32Array(items.length);
  let end = 0;
  for (const [i, { blob }] of items.entries()) {
    starts[i] = end;
    bytes.set(blob, end);
    end += blob.length;
  }
  return { bytes, starts, ...sizesOf(items) };
}

function sizesOf(
  items: readonly TransactionBytes[],
): Pick<OutlineRequest, 'sizes' | 'prunableHashes'> {
  const isPruned = items.some(({ prunableHash }) => prunableHash !== undefined);
  const prunableHashes = new Uint8Array(isPruned ? 32 * items.length : 0);
  for (const [i, { prunableHash }] of items.entries())
    if (prunableHash !== undefined) prunableHashes.set(prunableHash, 32 * i);
  return { sizes: Uint32Array.from(items, ({ blob }) => blob.length), prunableHashes };
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

function unpack({ bytes, starts, sizes, prunableHashes }: OutlineRequest): TransactionBytes[] {
  return Array.from(sizes, (size, i) => {
    const start = starts[i] as number;
    const blob = bytes.subarray(start, start + size);
    const prunableHash = prunableHashes.subarray(32 * i, 32 * (i + 1));
    return prunableHash.some((byte) => byte !== 0) ? { blob, prunableHash } : { blob };
  });
}
