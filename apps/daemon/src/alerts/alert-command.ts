import type { NotifyProgram } from '../notify/notify-program.ts';
import type { Alert } from './alert.ts';
import { alertJson, type AlertOrigin } from './alert-json.ts';

/** Runs the program of `--alert-command` for an alert. */
export function runAlertCommand(
  program: Pick<NotifyProgram, 'run'>,
  alert: Alert,
  origin: AlertOrigin,
): void {
  program.run({
    s: alert.message,
    k: alert.kind,
    v: alert.severity,
    t: alert.state,
    i: alert.id,
    j: alertJson(alert, origin),
  });
}
