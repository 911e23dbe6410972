import { READINESS_REASONS } from '@monero-node/node/readiness';
import type { P2pNode } from '@monero-node/p2p';
import type { WorkerCounts } from '@monero-node/rpc';
import type { LineCounts } from '../../log/kept-lines.ts';
import { setTotals, type Instruments } from '../instruments.ts';
import type { Collector } from './collector.ts';

export interface NodeSources {
  readonly version: string;
  readonly network: string;
  readonly p2p: Pick<P2pNode, 'synchronized'>;
  /** Returns how much of what the node has for answers is in use, 0 to 1. */
  readonly saturation: () => number;
  /** Returns how the worker processes of the RPC are; undefined without any. */
  readonly rpcWorkers: () => WorkerCounts | undefined;
  /** Returns why this node is not ready. */
  readonly notReady: () => readonly string[];
  /** Undefined when the log is not counted. */
  readonly logLines: Pick<LineCounts, 'counts'> | undefined;
}

/** Returns the collector of the figures about the node as a whole. */
export function nodeCollector(
  { node, log, answers }: Pick<Instruments, 'node' | 'log' | 'answers'>,
  { version, network, p2p, notReady, rpcWorkers, saturation, logLines }: NodeSources,
): Collector {
  node.build.set({ version, network, node_version: process.versions.node }, 1);
  return () => {
    const reasons = notReady();
    node.ready.set(reasons.length === 0 ? 1 : 0);
    for (const reason of READINESS_REASONS)
      node.reasons.set({ reason }, reasons.includes(reason) ? 1 : 0);
    const { serving = 0, wanted = 0, ended = 0 } = rpcWorkers() ?? {};
    answers.workers.set({ state: 'serving' }, serving);
    answers.workers.set({ state: 'waiting' }, wanted - serving);
    setTotals(answers.workersEnded, [[{}, ended]]);
    node.synchronized.set(p2p.synchronized ? 1 : 0);
    answers.saturation.set(saturation());
    const lines = [...(logLines?.counts ?? [])];
    setTotals(
      log.lines,
      lines.map(([level, count]) => [{ level: level.toLowerCase() }, count]),
    );
  };
}
