import type { CryptoCheck } from '../checks.ts';
import type { BackendChoice, CpuChoice } from '../choose-backend.ts';

/** The worker data that a worker is started with. */
export interface WorkerOptions {
  readonly backend: BackendChoice;
  readonly cpu: CpuChoice;
}

/** A message from the pool to a worker, which has one request at a time. */
export interface WorkerRequest {
  readonly check: CryptoCheck;
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

/**
 * Returns the request for a worker: the same check over one new buffer, which the caller must transfer.
 * Posting the caller's arrays would clone the whole buffers behind them: a 32-byte field may be a view of
 * a message of megabytes.
 */
export function packCheck(check: CryptoCheck): { message: WorkerRequest; transfer: [ArrayBuffer] } {
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
  return { message: { check: packed }, transfer: [buffer] };
}
