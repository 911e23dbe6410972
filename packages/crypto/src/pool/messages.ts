import type { WorkerMessage } from '@monero-node/base';
import { isBatched, type CryptoCheck } from '../checks.ts';
import type { BackendChoice, CpuChoice } from '../choices.ts';
import { type AnyCheck, countItems, isPacked, sliceCheck } from './any-check.ts';
import type { CheckPacker } from './check-bytes.ts';

/** The worker data that a worker is started with. */
export interface WorkerOptions {
  readonly backend: BackendChoice;
  readonly cpu: CpuChoice;
  /** Where the verifier of FCMP++ proofs is, which is loaded with the first of them; undefined for none. */
  readonly fcmp?: { readonly url: string; readonly backend: BackendChoice } | undefined;
}

/** A message from the pool to a worker, which has one request at a time: the next items of its check. */
export interface WorkerRequest {
  readonly kind: CryptoCheck['kind'];
  /** The items, packed. They are a copy: a field may be a view of a message of megabytes, which would be sent whole. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether these are the last items. The worker answers then. */
  readonly isLast: boolean;
}

/** A message from a worker to the pool: the answers to its request. */
export interface WorkerResponse {
  readonly answers: boolean[];
}

/** Range proofs or FCMP++ proofs of a message, as objects and packed. Copying and posting that many takes a few milliseconds at most. */
const PROOFS_PER_MESSAGE = 64;
const PACKED_PROOFS_PER_MESSAGE = 512;

/**
 * Returns the messages of a check for a worker. They are made one by one as the caller asks for them: a batch of
 * thousands of range proofs takes tens of milliseconds to copy. Checks of other kinds come in small parts and are one
 * message.
 */
export function* packCheck(check: AnyCheck, packer: CheckPacker): Iterable<WorkerMessage> {
  const { kind } = check;
  const count = countItems(check);
  const most = isPacked(check) ? PACKED_PROOFS_PER_MESSAGE : PROOFS_PER_MESSAGE;
  const step = isBatched(check) ? most : count;
  let from = 0;
  do {
    const to = from + step;
    const part = sliceCheck(check, from, to);
    const bytes = isPacked(part) ? part.bytes.slice() : packer.copyItems(part);
    const message: WorkerRequest = { kind, bytes, isLast: to >= count };
    yield { message, transfer: [bytes.buffer] };
    from = to;
  } while (from < count);
}
