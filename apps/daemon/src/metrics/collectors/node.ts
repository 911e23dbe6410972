import type { P2pNode } from '@monero-node/p2p';
import type { LineCounts } from '../../log/kept-lines.ts';
import { setTotals, type Instruments } from '../instruments.ts';
import type { Collector } from './collector.ts';

export interface NodeSources {
  readonly version: string;
  readonly network: string;
  readonly p2p: Pick<P2pNode, 'synchronized'>;
  /** Returns how much of what the node has for answers is in use, 0 to 1. */
  readonly saturation: () => number;
  /** Returns why this node is not ready. */
  readonly notReady: () => readonly string[];
  /** Undefined when the log is not counted. */
  readonly logLines: Pick<LineCounts, 'counts'> | undefined;
}

/** Returns the collector of the figures about the node as a whole. */
export function nodeCollector(
  { node, log, answers }: Pick<Instruments, 'node' | 'log' | 'answers'>,
  { version, network, p2p, notReady, saturation, logLines }: NodeSources,
): Collector {
  node.build.set({ version, network, node_version: process.versions.node }, 1);
  return () => {
    node.ready.set(notReady().length === 0 ? 1 : 0);
    node.synchronized.set(p2p.synchronized ? 1 : 0);
    answers.saturation.set(saturation());
    const lines = [...(logLines?.counts ?? [])];
    setTotals(
      log.lines,
      lines.map(([level, count]) => [{ level: level.toLowerCase() }, count]),
    );
  };
}
