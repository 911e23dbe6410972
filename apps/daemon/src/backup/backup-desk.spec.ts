import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@monero-node/base';
import type { CopyableStore, StoreCopy } from '@monero-node/storage';
import { askNodeForCopy } from './ask-node.ts';
import { BackupDesk } from './backup-desk.ts';
import { backupFiles, readRequest } from './messages.ts';

type Options = Parameters<CopyableStore['copyTo']>[1];

let dataDir: string;
let folder: string;
let desk: BackupDesk | undefined;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'backup-desk-'));
  folder = join(dataDir, 'copy');
});
afterEach(async () => {
  await desk?.stop();
  desk = undefined;
  rmSync(dataDir, { recursive: true });
});

const COPY: StoreCopy = { height: 7, topId: new Uint8Array(32).fill(5), size: 4096 };

async function openDesk(copyTo: (folder: string, options: Options) => Promise<StoreCopy>) {
  desk = new BackupDesk(dataDir, { store: { copyTo }, logger: silentLogger }, 5);
  await desk.start();
}

/** A copy that goes on until it is aborted. */
function endless(at: string, options: Options): Promise<StoreCopy> {
  mkdirSync(at);
  options?.onProgress?.(1, 2);
  return new Promise((_, reject) => {
    const { signal } = options ?? {};
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });
}

function ask(signal = new AbortController().signal, onProgress = () => undefined) {
  return askNodeForCopy(dataDir, folder, { signal, onProgress, patience: 3000 });
}

test('the node copies to the folder and returns what it copied', async () => {
  const folders: string[] = [];
  await openDesk((at) => {
    folders.push(at);
    return Promise.resolve(COPY);
  });
  expect(await ask()).toEqual(COPY);
  expect(await ask()).toEqual(COPY);
  expect(folders).toEqual([folder, folder]);
  expect(existsSync(backupFiles(dataDir).request)).toBe(false);
});

test('the reason of a failure is passed on', async () => {
  await openDesk(() => Promise.reject(new Error('the disk is full')));
  await expect(ask()).rejects.toThrow('the disk is full');
});

test('a copy ends when the tool no longer wants it', async () => {
  let aborted: Promise<unknown> | undefined;
  await openDesk((at, options) => {
    const copying = endless(at, options);
    aborted = copying.catch((error: unknown) => error);
    return copying;
  });
  const stop = new AbortController();
  const asked = ask(stop.signal, () => void stop.abort());
  await expect(asked).rejects.toThrow('aborted');
  expect(await aborted).toEqual(new Error('it is no longer wanted'));
});

test('a node that stops ends the copy and says so', async () => {
  await openDesk(endless);
  const asked = ask(undefined, () => void desk?.stop());
  await expect(asked).rejects.toThrow('the node was stopped');
});

test('without a node that answers, the tool gives up', async () => {
  await expect(
    askNodeForCopy(dataDir, folder, {
      signal: new AbortController().signal,
      onProgress: () => undefined,
      patience: 10,
    }),
  ).rejects.toThrow('does not answer');
});

test.each(['', '[]', 'null', '{"id":"a"}', '{"id":"a","folder":"relative"}', ' '.repeat(70_000)])(
  'a request of %j is no request',
  (text) => {
    const { request } = backupFiles(dataDir);
    writeFileSync(request, text);
    expect(readRequest(request)).toBeUndefined();
  },
);

test('a request from before the start is forgotten', async () => {
  const { request } = backupFiles(dataDir);
  writeFileSync(request, JSON.stringify({ id: 'old', folder }));
  await openDesk(() => Promise.resolve(COPY));
  expect(existsSync(request)).toBe(false);
});
