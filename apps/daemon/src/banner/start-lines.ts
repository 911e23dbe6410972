import { statfs } from 'node:fs/promises';
import type { DaemonSettings } from '../cli/daemon-settings.ts';
import { byteCount } from '../console/format.ts';

/** Returns the free bytes of a folder's disk; undefined when the system does not say. */
async function freeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** Returns the lines of the log that describe where a node keeps its files, before it opens them. */
export async function startLines({
  network,
  dataDir,
  logFile,
}: Pick<DaemonSettings, 'network' | 'dataDir' | 'logFile'>): Promise<string[]> {
  const free = await freeBytes(dataDir);
  return [
    `Network: ${network.nettype}`,
    `Data directory: ${dataDir}${free === undefined ? '' : ` (${byteCount(free)} free)`}`,
    `Log file: ${logFile.path}`,
  ];
}
