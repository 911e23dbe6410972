import type { OnCall } from '@monero-node/rpc';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { CATALOG } from './catalog.ts';
import type { MetricSpec } from './metric-spec.ts';

type Instrument<Spec> =
  Spec extends MetricSpec<'gauge', infer Label>
    ? Gauge<Label>
    : Spec extends MetricSpec<'counter', infer Label>
      ? Counter<Label>
      : Spec extends MetricSpec<'histogram', infer Label>
        ? Histogram<Label>
        : never;

type Group<Specs> = { readonly [Key in keyof Specs]: Instrument<Specs[Key]> };

/** The instruments of the catalog, by subsystem. */
export type Instruments = {
  readonly [Key in keyof typeof CATALOG]: Group<(typeof CATALOG)[Key]>;
};

/** Makes every instrument of the catalog, in a registry of their own. */
export function createInstruments(): { registry: Registry; instruments: Instruments } {
  const registry = new Registry();
  const groups = Object.entries(CATALOG).map(([group, specs]) => [
    group,
    Object.fromEntries(
      Object.entries(specs).map(([key, spec]) => [key, create(spec as MetricSpec, registry)]),
    ),
  ]);
  return { registry, instruments: Object.fromEntries(groups) as Instruments };
}

function create({ kind, name, help, labels, buckets = [] }: MetricSpec, registry: Registry) {
  const config = { name, help, labelNames: labels, registers: [registry] };
  switch (kind) {
    case 'gauge':
      return new Gauge(config);
    case 'counter':
      return new Counter(config);
    case 'histogram':
      return new Histogram({ ...config, buckets: [...buckets] });
  }
}

/** Sets a counter to totals that are kept elsewhere. */
export function setTotals<Label extends string>(
  counter: Counter<Label>,
  totals: readonly (readonly [labels: Partial<Record<Label, string>>, total: number])[],
): void {
  counter.reset();
  for (const [labels, total] of totals) counter.inc(labels, total);
}

/** Returns an observer that counts and measures RPC calls. */
export function rpcObserver({ requests, duration, bytes }: Instruments['rpc']): OnCall {
  return (call) => {
    const { method, status } = call;
    const label = { interface: call.interface, method };
    requests.inc({ ...label, status });
    duration.observe(label, call.secondsToAnswer);
    bytes.inc(label, call.bytes);
  };
}
