import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { toHex } from '@monero-node/codec';
import type { Finding, RowTotals, StoreCheck } from '@monero-node/storage';

/** Findings that are kept and printed; more are counted. */
export const MAX_FINDINGS = 20;

/** How far a verification has come. */
export interface VerifyState {
  /** The data file as `fileIdentity` returns it: another file, or one that was written to, is verified from the start. */
  readonly file: string;
  /** Blocks that have been checked. */
  height: number;
  /** Id of the newest of them, in hex; empty when there is none. */
  topId: string;
  readonly totals: RowTotals;
  /** The first of them. */
  readonly findings: Finding[];
  findingCount: number;
}

/** Raise it when totals or findings change. */
const FORMAT = 2;

/** Returns a text that differs between files, and between states of a file. Throws the error of the system. */
export function fileIdentity(path: string): string {
  const { dev, ino, mtimeMs, size } = statSync(path);
  return [dev, ino, size, mtimeMs].join(' ');
}

/** Returns the state before the first block. @param file as `fileIdentity` returns it */
export function emptyState(file: string): VerifyState {
  const totals = { txs: 0, keyImages: 0, rctOutputs: 0, clearOutputs: 0, amounts: 0 };
  return { file, height: 0, topId: '', totals, findings: [], findingCount: 0 };
}

/** Adds findings to a state. */
export function addFindings(state: VerifyState, findings: readonly Finding[]): void {
  state.findings.push(...findings.slice(0, MAX_FINDINGS - state.findings.length));
  state.findingCount += findings.length;
}

/** Writes the state in one step. Throws the error of the system. */
export function saveState(path: string, state: VerifyState): void {
  // This may run as root: it must not follow a link that the node's user made.
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, JSON.stringify({ format: FORMAT, ...state }), { flag: 'wx' });
  renameSync(`${path}.new`, path);
}

/** Reads the state of an earlier run; undefined when there is none, or it is about another file or state of the file. */
export function loadState(path: string, check: StoreCheck, file: string): VerifyState | undefined {
  try {
    const state = JSON.parse(readFileSync(path, 'utf8')) as VerifyState & { format: number };
    const top = check.meta(state.height - 1);
    const isSame = state.format === FORMAT && state.file === file;
    return isSame && top !== undefined && toHex(top.id) === state.topId ? state : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the state of a run. */
export function removeState(path: string): void {
  rmSync(path, { force: true });
}
