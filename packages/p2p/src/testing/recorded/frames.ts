import { readFileSync } from 'node:fs';
import { fromHex } from '@monero-node/codec';

const FILE = new URL('../../../fixtures/monerod-frames.json', import.meta.url);

/** Bytes of a frame before its body. */
const HEADER_BYTES = 33;

export type RecordedName =
  | 'chainEntry'
  | 'chainRequest'
  | 'complementAnswer'
  | 'complementRequest'
  | 'fluffyBlock'
  | 'fluffyMissingAnswer'
  | 'handshakeRequest'
  | 'handshakeResponse'
  | 'objects'
  | 'objectsPruned'
  | 'objectsRequest'
  | 'pingResponse'
  | 'supportFlagsRequest'
  | 'supportFlagsResponse'
  | 'timedSyncRequest'
  | 'timedSyncResponse'
  | 'unknownResponse';

export interface RecordedFrame {
  bytes: Uint8Array;
  body: Uint8Array;
}

/**
 * A frame that monerod 0.18.0.0 sent on a regtest chain of 1,217 blocks. The questions were put to
 * it by a client that shares no code with this package.
 */
export function recordedFrame(name: RecordedName): RecordedFrame {
  const all = JSON.parse(readFileSync(FILE, 'utf8')) as Record<RecordedName, string>;
  const bytes = fromHex(all[name]);
  return { bytes, body: bytes.subarray(HEADER_BYTES) };
}
