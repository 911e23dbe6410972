import type { Network } from '@monero-node/consensus';
import type { EventPublisherOptions } from '@monero-node/events/publisher';
import type { OptionReader } from './option-reader.ts';
import { UsageError } from './option-types.ts';

/** Where and how events are published. */
export type EventSettings = Omit<EventPublisherOptions, 'publisher'>;

/** Options without effect when events are not published. */
const EVENT_OPTIONS = [
  'events-credentials',
  'events-tls-ca',
  'events-prefix',
  'events-stream',
  'events-encoding',
  'events-from',
  'events-keep-days',
];
const MOST_DAYS = 36_500;
const PREFIX = /^[\w-]+(\.[\w-]+)*$/;
const STREAM = /^[\w-]+$/;

/** Reads the options of the events; returns undefined unless a server is given. Throws UsageError. */
export function eventSettings(values: OptionReader, network: Network): EventSettings | undefined {
  const given = values.text('events');
  if (given === undefined) return undefined;
  return {
    server: serverOf(given),
    credentialsFile: values.text('events-credentials'),
    tlsCaFile: values.text('events-tls-ca'),
    prefix: nameOf(values, 'events-prefix', PREFIX) ?? `monero.${network.name}`,
    stream: nameOf(values, 'events-stream', STREAM) ?? `MONERO_${network.name.toUpperCase()}`,
    encoding: encodingOf(values),
    from: values.has('events-from') ? values.number('events-from', 0) : undefined,
    keepDays: daysOf(values),
  };
}

/** Returns a sentence for each option that has no effect without `--events`. */
export function eventWarnings(values: OptionReader): string[] {
  if (values.has('events')) return [];
  return EVENT_OPTIONS.filter((name) => values.has(name)).map(
    (name) => `--${name} has no effect without --events`,
  );
}

function serverOf(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !['nats:', 'tls:'].includes(url.protocol) || url.hostname === '') {
    throw new UsageError('Invalid events: nats://HOST:PORT or tls://HOST:PORT expected');
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      '--events must not hold a login, which everybody on this machine could read: use --events-credentials',
    );
  }
  return given;
}

function nameOf(values: OptionReader, option: string, pattern: RegExp): string | undefined {
  const text = values.text(option);
  if (text !== undefined && (text.length > 128 || !pattern.test(text))) {
    throw new UsageError(`Invalid ${option} '${text}': letters, digits, - and _ expected`);
  }
  return text;
}

function encodingOf(values: OptionReader): EventSettings['encoding'] {
  const text = values.text('events-encoding') ?? 'json';
  if (text === 'json' || text === 'portable-storage') return text;
  throw new UsageError(`Invalid events-encoding '${text}': json or portable-storage expected`);
}

function daysOf(values: OptionReader): number {
  const days = values.number('events-keep-days', 30);
  if (days < 1 || days > MOST_DAYS) {
    throw new UsageError(`Invalid events-keep-days ${days}: 1 to ${MOST_DAYS} expected`);
  }
  return days;
}
