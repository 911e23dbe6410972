import { hostname } from 'node:os';
import { monotonicMilliseconds, systemSeconds, type Logger } from '@monero-node/base';
import { dialThroughSocks } from '@monero-node/p2p/socks';
import type { Part } from '@monero-node/node';
import type { DaemonSettings } from '../cli/daemon-settings.ts';
import type { NotifyProgram } from '../notify/notify-program.ts';
import { VERSION } from '../version.ts';
import { alertJson, type Alert, type AlertOrigin } from '../alerts/alert.ts';
import { Alerts } from '../alerts/alerts.ts';
import type { Webhook } from '../alerts/webhook.ts';

/** Milliseconds that a stop waits for the program: systemd and containers end what is still running when the node has stopped. */
const PROGRAM_STOP_MS = 3000;

/** Where alerts are raised, and the part of the node that tells the operator of them. */
export interface AlertDesk {
  readonly alerts: Alerts;
  /** To be stopped after all that raises alerts. */
  readonly part: Part;
}

/** Who is told of alerts. */
export interface AlertReceivers {
  /** The program of `--alert-command`. */
  readonly program: NotifyProgram | undefined;
  /** The code of webhooks; undefined where none is wanted. */
  readonly Webhook: typeof Webhook | undefined;
}

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

/** Creates the place where alerts are raised. From now on the operator is told of them. */
export function createAlerts(
  { alerts: { webhook: given }, network, p2p }: Pick<DaemonSettings, 'alerts' | 'network' | 'p2p'>,
  { program, Webhook: WebhookCode }: AlertReceivers,
  logger: Logger,
): AlertDesk {
  const alerts = new Alerts({ now: monotonicMilliseconds, unixTime: systemSeconds });
  const origin: AlertOrigin = { host: hostname(), network: network.name, version: VERSION };
  const { proxy, offline } = p2p;
  const isReached = given !== undefined && (!offline || given.isLocal);
  const webhook =
    isReached && WebhookCode
      ? new WebhookCode(given, {
          dial: proxy && !given.isLocal ? dialThroughSocks(proxy) : undefined,
          logger,
        })
      : undefined;
  alerts.on('alert', (alert: Alert) => {
    if (program !== undefined) runAlertCommand(program, alert, origin);
    const { id, severity, state, time } = alert;
    const messageId = `${id}-${state}-${time}`;
    webhook?.send({ id, messageId, severity, body: alertJson(alert, origin) });
  });
  const stop = async (): Promise<void> => {
    alerts.removeAllListeners();
    await Promise.all([program?.finish(PROGRAM_STOP_MS), webhook?.stop()]);
  };
  return { alerts, part: { name: 'alerts', start: () => Promise.resolve(), stop } };
}

/**
 * Opens what is to stop the desk as one of its parts. Resolves with it.
 *
 * Rejects as `open` does, after the alerts raised meanwhile have been told: nobody else stops the desk then.
 */
export async function toldByDesk<T>(
  { part }: Pick<AlertDesk, 'part'>,
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await part.stop();
    throw error;
  }
}
