import type { Alert } from './alert.ts';

/** Which node has raised an alert. */
export interface AlertOrigin {
  /** Name of the machine. */
  readonly host: string;
  readonly network: string;
  readonly version: string;
}

/** Returns an alert as programs and webhooks get it: JSON in one line. */
export function alertJson(
  { id, kind, severity, state, time, since, message, data }: Alert,
  { host, network, version }: AlertOrigin,
): string {
  const alert = { id, kind, severity, state, time, since, message, data };
  return JSON.stringify({ ...alert, host, network, version });
}
