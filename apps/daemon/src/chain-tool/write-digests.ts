import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { toHex } from '@monero-node/codec';
import type { StoreCopy } from '@monero-node/storage';
import { DATA_FILE } from '@monero-node/storage/system';
import { StepProgress } from './step-progress.ts';
import { MANIFEST_NAME, partAt, partCount, writeManifest } from '../seed/manifest.ts';
import { sha256 } from '../seed/proof.ts';

export interface DigestOptions extends StoreCopy {
  /** Name of the network. */
  readonly network: string;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

/**
 * Writes the manifest of a copy beside its data file, and flushes it. The folder can then be put on a web server, or into a store of objects
 * that serves ranges. Throws the error of the system, and the reason of the signal.
 */
export async function writeDigests(folder: string, options: DigestOptions): Promise<void> {
  const { height, topId = new Uint8Array(32), size, network, signal, print } = options;
  const { update } = new StepProgress('digested', print);
  const digests: string[] = [];
  const data = await open(join(folder, DATA_FILE), 'r');
  try {
    for (let index = 0; index < partCount({ size }); index += 1) {
      signal.throwIfAborted();
      const { at, length } = partAt({ size }, index);
      const bytes = new Uint8Array(length);
      await data.read(bytes, 0, length, at);
      digests.push(await sha256(bytes));
      update(at + length, size);
    }
  } finally {
    await data.close();
  }
  const manifest = { network, height, topId: toHex(topId), size, file: DATA_FILE, digests };
  const file = await open(join(folder, MANIFEST_NAME), 'wx');
  try {
    await file.writeFile(writeManifest(manifest));
    await file.sync();
  } finally {
    await file.close();
  }
}
