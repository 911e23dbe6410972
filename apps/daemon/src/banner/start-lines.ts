import type { DaemonSettings } from '../cli/daemon-settings.ts';
import { byteCount } from '../console/format.ts';
import { freeBytes } from '../runtime/free-bytes.ts';

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
