import type { OptionReader } from './option-reader.ts';

/** Where metrics are served. */
export interface MetricsSettings {
  readonly bindIp: string;
  readonly bindPort: number;
}

/** Reads the options of the metrics; returns undefined unless a port is given. */
export function metricsSettings(values: OptionReader): MetricsSettings | undefined {
  if (!values.has('metrics-bind-port')) return undefined;
  const given = values.text('metrics-bind-ip') ?? '127.0.0.1';
  return {
    bindIp: given.replace(/^\[(.*)\]$/, '$1'),
    bindPort: values.number('metrics-bind-port', 0),
  };
}

/** Returns a warning for `--metrics-bind-ip` without a port. */
export function metricsWarnings(values: OptionReader): string[] {
  const inVain = values.has('metrics-bind-ip') && !values.has('metrics-bind-port');
  return inVain ? ['--metrics-bind-ip has no effect without --metrics-bind-port'] : [];
}
