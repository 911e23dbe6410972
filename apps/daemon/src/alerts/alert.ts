/** How much an alert matters. */
export type AlertSeverity = 'info' | 'warning' | 'critical';

/** How the kinds of alerts are treated. */
interface KindRule {
  readonly severity: AlertSeverity;
  /** Whether what has happened is told at most once an hour, because it may happen very often. */
  readonly isRare?: true;
}

/** Every kind of alert. docs/operating/alerts.md says what each means. */
export const ALERT_KINDS = {
  'no-peers': { severity: 'warning' },
  'no-incoming': { severity: 'warning' },
  'named-peer': { severity: 'warning' },
  behind: { severity: 'warning' },
  clock: { severity: 'warning' },
  disk: { severity: 'critical' },
  'cannot-add-blocks': { severity: 'critical' },
  stopping: { severity: 'critical' },
  engine: { severity: 'critical', isRare: true },
  'pool-full': { severity: 'warning' },
  'log-file': { severity: 'warning' },
  reorganization: { severity: 'warning' },
  'rig-lost': { severity: 'warning' },
  'block-found': { severity: 'info' },
  'block-orphaned': { severity: 'warning' },
  'block-restored': { severity: 'info' },
  update: { severity: 'info' },
} as const satisfies Record<string, KindRule>;

export type AlertKind = keyof typeof ALERT_KINDS;

/** Returns how a kind is treated. */
export const ruleOf = (kind: AlertKind): KindRule => ALERT_KINDS[kind];

/** `begins`, `lasts` and `ended` are of something that lasts; `once` is of something that has happened. */
export type AlertState = 'begins' | 'lasts' | 'ended' | 'once';

/** Figures and names of an alert, for programs. */
export type AlertData = Readonly<Record<string, string | number>>;

/** Something that the operator should hear of. */
export interface Alert {
  /** The same from the beginning of an alert to its end; each alert has another one. */
  readonly id: string;
  readonly kind: AlertKind;
  /** An end is always `info`. */
  readonly severity: AlertSeverity;
  readonly state: AlertState;
  /** Unix seconds. */
  readonly time: number;
  /** Unix seconds at which it began. */
  readonly since: number;
  /** A sentence as the log has it, in one line of at most 1000 characters. */
  readonly message: string;
  readonly data: AlertData;
}

/** Raises one alert while something lasts. */
export interface Alarm {
  /**
   * @param wrong what is wrong at present, in the words of the log; undefined while all is well
   * @param ended the sentence for the end
   */
  update(wrong: string | undefined, ended: string, data?: AlertData): void;
}

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
