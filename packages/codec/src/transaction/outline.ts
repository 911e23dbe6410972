import { ByteReader } from '../byte-reader.ts';
import { DEFAULT_FORMATS, type Formats } from '../formats.ts';
import {
  INPUT_TAG,
  MAX_RING_MEMBERS,
  MIN_INPUT_SIZE,
  readInput,
  readOutputsAndExtra,
  readVersion,
} from './prefix.ts';
import type { Transaction } from './types.ts';

/** The parts of a transaction that show a wallet whether it is paid. Byte fields are views of the blob. */
export interface TransactionOutline extends Pick<Transaction, 'version' | 'outputs' | 'extra'> {
  /** Whether the only input is of type gen. */
  readonly isCoinbase: boolean;
}

/**
 * Reads outputs and extra of a transaction, full or pruned: in a fifth of the time that parsing takes, for programs that look at
 * every transaction of a chain. Inputs are skipped and bytes after the prefix are not looked at, so that malformed ones
 * may pass.
 * Throws DecodeError for a prefix that is malformed elsewhere.
 */
export function outlineTransaction(
  blob: Uint8Array,
  formats: Formats = DEFAULT_FORMATS,
): TransactionOutline {
  return readOutline(new ByteReader(blob), formats);
}

/** Reads the outline of a transaction that may be followed by other data. Throws DecodeError as outlineTransaction does. */
export function readOutline(
  reader: ByteReader,
  formats: Formats = DEFAULT_FORMATS,
): TransactionOutline {
  const version = readVersion(reader);
  reader.skipVarints(1);
  const isCoinbase = skipInputs(reader);
  return { version, isCoinbase, ...readOutputsAndExtra(reader, formats) };
}

/** Skips the inputs and returns whether there is one alone, of type gen. */
function skipInputs(reader: ByteReader): boolean {
  const count = reader.count(MIN_INPUT_SIZE);
  let kind: number | undefined;
  for (let i = 0; i < count; i++) {
    kind = reader.u8();
    skipInput(reader, kind);
  }
  return count === 1 && kind === INPUT_TAG.gen;
}

function skipInput(reader: ByteReader, tag: number): void {
  if (tag === INPUT_TAG.key) {
    reader.skipVarints(1);
    reader.skipVarints(reader.count(1));
    reader.skip(32);
  } else if (tag === INPUT_TAG.gen) {
    reader.skipVarints(1);
  } else {
    reader.offset--;
    readInput(reader, MAX_RING_MEMBERS);
  }
}
