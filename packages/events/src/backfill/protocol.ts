import { DecodeError } from '@monero-node/codec';

/** Most blocks, and about the most bytes, of one answer. */
export const PAGE_BLOCKS = 1000;
export const PAGE_BYTES = 524_288;
/** Longest request, bytes. */
const MAX_REQUEST_BYTES = 1024;

/** A request for blocks of the main chain, as JSON on the subject `<prefix>.backfill`. */
export interface BackfillRequest {
  readonly version: 1;
  /** Height of the first block wanted. */
  readonly from: number;
  /** The last block wanted. A node that does not have it in its main chain answers `unknown-block`. */
  readonly to: { readonly height: number; readonly id: string };
  /** Part wanted of a block that alone is longer than an answer; 0 when absent. */
  readonly part?: number;
}

/** Why a request was not answered. */
export type BackfillFailure = 'unknown-block' | 'busy' | 'bad-request' | 'failed';

/** Returns the bytes of a request. */
export function encodeBackfillRequest(request: BackfillRequest): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(request));
}

/** Reads the bytes of a request. Throws DecodeError when they are malformed. */
export function decodeBackfillRequest(bytes: Uint8Array): Required<BackfillRequest> {
  if (bytes.length > MAX_REQUEST_BYTES) throw new DecodeError('long request');
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new DecodeError('request is not JSON');
  }
  if (typeof json !== 'object' || json === null) throw new DecodeError('request is no object');
  const { version, from, to, part = 0 } = json as Partial<BackfillRequest>;
  if (version !== 1) throw new DecodeError('request of another version');
  if (
    !isCount(from) ||
    !isCount(part) ||
    typeof to !== 'object' ||
    to === null ||
    !isCount(to.height)
  ) {
    throw new DecodeError('request without heights');
  }
  if (typeof to.id !== 'string' || !/^[0-9a-f]{64}$/.test(to.id)) {
    throw new DecodeError('request without the id of its last block');
  }
  return { version, from, to: { height: to.height, id: to.id }, part };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
