import type { WorkerMessage } from '@monero-node/base';
import { countItems, isBatched, sliceCheck, type CryptoCheck } from '../checks.ts';
import type { BackendChoice, CpuChoice } from '../choose-backend.ts';

/** The worker data that a worker is started with. */
export interface WorkerOptions {
  readonly backend: BackendChoice;
  readonly cpu: CpuChoice;
}

/** A message from the pool to a worker, which has one request at a time: the next items of its check. */
export interface WorkerRequest {
  readonly check: CryptoCheck;
  /** Whether these are the last items. The worker answers then. */
  readonly isLast: boolean;
}

/** A message from a worker to the pool: the answers to its request. */
export interface WorkerResponse {
  readonly answers: boolean[];
}

type Copy = (bytes: Uint8Array) => Uint8Array;

/** Returns a copy of plain data in which every byte array was replaced by its `copy`. */
function copyData<T>(data: T, copy: Copy): T {
  if (ArrayBuffer.isView(data)) return copy(data as unknown as Uint8Array) as T;
  if (Array.isArray(data)) return data.map((item: unknown) => copyData(item, copy)) as T;
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, copyData<unknown>(value, copy)]),
  ) as T;
}

/** Range proofs of a message. Copying and posting that many takes a few milliseconds at most. */
const RANGE_PROOFS_PER_MESSAGE = 64;

/**
 * Returns the messages of a check for a worker. They are made one by one as the caller asks for them: a batch of
 * thousands of range proofs takes tens of milliseconds to copy. Checks of other kinds come in small parts and are one
 * message.
 */
export function* packCheck(check: CryptoCheck): Iterable<WorkerMessage> {
  const count = countItems(check);
  const step = isBatched(check) ? RANGE_PROOFS_PER_MESSAGE : count;
  let from = 0;
  do {
    const to = from + step;
    const { packed, buffer } = packItems(sliceCheck(check, from, to));
    const message: WorkerRequest = { check: packed, isLast: to >= count };
    yield { message, transfer: [buffer] };
    from = to;
  } while (from < count);
}

/**
 * Returns the same check over one new buffer, which the caller must transfer. Posting the caller's arrays would
 * clone the whole buffers behind them: a 32-byte field may be a view of a message of megabytes.
 */
function packItems(check: CryptoCheck): { packed: CryptoCheck; buffer: ArrayBuffer } {
  let size = 0;
  copyData(check, (bytes) => {
    size += bytes.length;
    return bytes;
  });
  const buffer = new ArrayBuffer(size);
  let offset = 0;
  const packed = copyData(check, (bytes) => {
    const target = new Uint8Array(buffer, offset, bytes.length);
    target.set(bytes);
    offset += bytes.length;
    return target;
  });
  return { packed, buffer };
}
