import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { monotonicMilliseconds } from '@monero-node/base';
import { fromHex } from '@monero-node/codec';
import type { StoreCopy } from '@monero-node/storage';
import { backupFiles, readState, writeMessage } from './messages.ts';

/** Milliseconds between two looks at the state. */
const INTERVAL = 100;
/** Milliseconds in which a node must answer; one that starts on a long chain takes a while. */
const PATIENCE = 60_000;

export interface AskOptions {
  readonly signal: AbortSignal;
  /** Called with bytes. */
  readonly onProgress: (done: number, total: number) => void;
  /** Milliseconds in which the node must write something; a minute by default. */
  readonly patience?: number;
}

/**
 * Asks the node that runs on a data directory for a copy of its chain. Resolves when the copy is complete and flushed.
 *
 * Throws Error with the reason of the node, or when it does not answer, and the reason of the signal.
 * @param folder absolute path that is to hold the data file; its parent is there
 */
export async function askNodeForCopy(
  dataDir: string,
  folder: string,
  { signal, onProgress, patience = PATIENCE }: AskOptions,
): Promise<StoreCopy> {
  const files = backupFiles(dataDir);
  const id = randomUUID();
  writeMessage(files.request, { id, folder });
  try {
    let last = { text: '', at: monotonicMilliseconds() };
    for (;;) {
      await delay(INTERVAL, undefined, { signal });
      const state = readState(files.state, id);
      const text = JSON.stringify(state);
      const now = monotonicMilliseconds();
      if (text !== last.text) last = { text, at: now };
      else if (now - last.at > patience) throw silence(dataDir);
      if (state === undefined) continue;
      if ('error' in state) throw new Error(state.error);
      if ('done' in state) {
        onProgress(state.done, state.total);
        continue;
      }
      const topId = state.topId === '' ? undefined : fromHex(state.topId);
      return { height: state.height, topId, size: state.size };
    }
  } finally {
    rmSync(files.request, { force: true });
  }
}

function silence(dataDir: string): Error {
  return new Error(
    `the process that uses ${dataDir} does not answer: it is no node, or one of an older version. Stop it first`,
  );
}
