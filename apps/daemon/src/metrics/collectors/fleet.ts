import type { FleetFigures } from '@monero-node/node';
import { setTotals, type Instruments } from '../instruments.ts';
import type { Collector } from './collector.ts';

/** Returns the collector of the figures about the other nodes of a fleet. All are 0 without any. */
export function fleetCollector(
  metrics: Instruments['fleet'],
  fleetFigures: () => FleetFigures | undefined,
): Collector {
  return () => {
    const figures = fleetFigures();
    const { ready = 0, notReady = 0, apart = 0, silent = 0, questions = 0, height } = figures ?? {};
    metrics.nodes.set({ state: 'ready' }, ready);
    metrics.nodes.set({ state: 'not_ready' }, notReady);
    metrics.nodes.set({ state: 'apart' }, apart);
    metrics.nodes.set({ state: 'silent' }, silent);
    metrics.height.set(height ?? (figures === undefined ? 0 : NaN));
    setTotals(metrics.questions, [[{}, questions]]);
  };
}
