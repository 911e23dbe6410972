import type { CryptoCheck } from '../checks.ts';
import type { BackendChoice, CpuChoice } from '../choose-backend.ts';

/** What a worker is started with. */
export interface WorkerOptions {
  readonly backend: BackendChoice;
  readonly cpu: CpuChoice;
}

/** From the pool to a worker. A worker has one request at a time. */
export interface WorkerRequest {
  readonly check: CryptoCheck;
}

/** From a worker to the pool: the answers to its one request. */
export interface WorkerResponse {
  readonly answers: boolean[];
}

type Copy = (bytes: Uint8Array) => Uint8Array;

/** A copy of plain data in which `copy` has made every byte array anew. */
function copyData<T>(data: T, copy: Copy): T {
  if (ArrayBuffer.isView(data)) return copy(data as unknown as Uint8Array) as T;
  if (Array.isArray(data)) return data.map((item: unknown) => copyData(item, copy)) as T;
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, copyData<unknown>(value, copy)]),
  ) as T;
}

/**
 * The same check over one new buffer that holds nothing else, and that buffer, to be transferred.
 * Posting the caller's arrays as they are would clone the whole buffers behind them: a 32-byte field
 * may be a view of a message of megabytes.
 */
export function packCheck(check: CryptoCheck): { check: CryptoCheck; buffer: ArrayBuffer } {
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
  return { check: packed, buffer };
}
