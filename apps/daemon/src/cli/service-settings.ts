import type { Network } from '@monero-node/consensus';
import type { EventPublisherOptions } from '@monero-node/events/publisher';
import { unbracketed } from '@monero-node/p2p/hosts';
import type { ZmqOptions } from '@monero-node/zmq';
import type { OptionReader } from './given-options.ts';
import type { OptionName } from './options/options.ts';
import { UsageError } from './usage-error.ts';

/** Options without effect when ZeroMQ is off. */
const ZMQ_OPTIONS: readonly OptionName[] = [
  'zmq-rpc-bind-port',
  'zmq-rpc-bind-ip',
  'confirm-zmq-rpc-external-bind',
  'restricted-zmq-rpc',
  'zmq-pub',
];

/** Reads the options of ZeroMQ; returns undefined when it is off. */
export function zmqOptions(values: OptionReader, network: Network): ZmqOptions | undefined {
  if (values.get('no-zmq')) return undefined;
  return {
    rpcBindIp: values.get('zmq-rpc-bind-ip'),
    rpcBindPort: values.get('zmq-rpc-bind-port') ?? network.ports.zmq,
    confirmExternalBind: values.get('confirm-zmq-rpc-external-bind'),
    restricted: values.get('restricted-zmq-rpc'),
    publishAt: values.get('zmq-pub'),
  };
}

/** Returns a sentence for each option that has no effect because of `--no-zmq`. */
export function zmqWarnings(values: OptionReader): string[] {
  if (!values.get('no-zmq')) return [];
  return ZMQ_OPTIONS.filter((name) => values.has(name)).map(
    (name) => `--${name} has no effect because --no-zmq was specified`,
  );
}

/** Where metrics are served. */
export interface MetricsSettings {
  readonly bindIp: string;
  readonly bindPort: number;
}

/** Reads the options of the metrics; returns undefined unless a port is given. */
export function metricsSettings(values: OptionReader): MetricsSettings | undefined {
  const bindPort = values.get('metrics-bind-port');
  if (bindPort === undefined) return undefined;
  return { bindIp: unbracketed(values.get('metrics-bind-ip')), bindPort };
}

/** Returns a warning for `--metrics-bind-ip` without a port. */
export function metricsWarnings(values: OptionReader): string[] {
  const inVain = values.has('metrics-bind-ip') && !values.has('metrics-bind-port');
  return inVain ? ['--metrics-bind-ip has no effect without --metrics-bind-port'] : [];
}

/** Where and how events are published. */
export type EventSettings = Omit<EventPublisherOptions, 'publisher'>;

/** Options without effect when events are not published. */
const EVENT_OPTIONS: readonly OptionName[] = [
  'events-credentials',
  'events-tls-ca',
  'events-tls-cert',
  'events-tls-key',
  'events-prefix',
  'events-stream',
  'events-encoding',
  'events-from',
  'events-keep-days',
  'events-replicas',
];
const MOST_DAYS = 36_500;
const MOST_SERVERS = 16;
/** A stream needs more than half of its replicas, so an even number keeps no more than the odd one below. NATS has five at most. */
const REPLICAS = [1, 3, 5];
const PREFIX = /^[\w-]+(\.[\w-]+)*$/;
const STREAM = /^[\w-]+$/;

/** Reads the options of the events; returns undefined unless a server is given. Throws UsageError. */
export function eventSettings(values: OptionReader, network: Network): EventSettings | undefined {
  const given = values.get('events');
  if (given === undefined) return undefined;
  return {
    server: serversOf(given),
    credentialsFile: values.get('events-credentials'),
    tlsCaFile: values.get('events-tls-ca'),
    ...clientCertificate(values),
    prefix: nameOf(values, 'events-prefix', PREFIX) ?? `monero.${network.name}`,
    stream: nameOf(values, 'events-stream', STREAM) ?? `MONERO_${network.name.toUpperCase()}`,
    encoding: encodingOf(values),
    from: values.get('events-from'),
    keepDays: daysOf(values),
    replicas: replicasOf(values),
  };
}

/** Returns a sentence for each option that has no effect without `--events`. */
export function eventWarnings(values: OptionReader): string[] {
  if (values.has('events')) return [];
  return EVENT_OPTIONS.filter((name) => values.has(name)).map(
    (name) => `--${name} has no effect without --events`,
  );
}

/** Returns the servers of a text that separates them by commas, in the same form. Throws UsageError. */
function serversOf(given: string): string {
  const servers = given.split(',').map((server) => serverOf(server.trim()));
  if (servers.length > MOST_SERVERS) {
    throw new UsageError(`Invalid events: at most ${MOST_SERVERS} servers expected`);
  }
  const schemes = new Set(servers.map((server) => new URL(server).protocol));
  if (schemes.size > 1) {
    throw new UsageError('Invalid events: nats:// or tls:// expected for all servers alike');
  }
  return servers.join(',');
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

function clientCertificate(
  values: OptionReader,
): Pick<EventSettings, 'tlsCertFile' | 'tlsKeyFile'> {
  const tlsCertFile = values.get('events-tls-cert');
  const tlsKeyFile = values.get('events-tls-key');
  if ((tlsCertFile === undefined) !== (tlsKeyFile === undefined)) {
    throw new UsageError('--events-tls-cert and --events-tls-key need each other');
  }
  return { tlsCertFile, tlsKeyFile };
}

function nameOf(
  values: OptionReader,
  option: 'events-prefix' | 'events-stream',
  pattern: RegExp,
): string | undefined {
  const text = values.get(option);
  if (text !== undefined && (text.length > 128 || !pattern.test(text))) {
    throw new UsageError(`Invalid ${option} '${text}': letters, digits, - and _ expected`);
  }
  return text;
}

function encodingOf(values: OptionReader): EventSettings['encoding'] {
  const text = values.get('events-encoding');
  if (text === 'json' || text === 'portable-storage') return text;
  throw new UsageError(`Invalid events-encoding '${text}': json or portable-storage expected`);
}

function replicasOf(values: OptionReader): number {
  const replicas = values.get('events-replicas');
  if (!REPLICAS.includes(replicas)) {
    throw new UsageError(`Invalid events-replicas ${replicas}: 1, 3 or 5 expected`);
  }
  return replicas;
}

function daysOf(values: OptionReader): number {
  const days = values.get('events-keep-days');
  if (days < 1 || days > MOST_DAYS) {
    throw new UsageError(`Invalid events-keep-days ${days}: 1 to ${MOST_DAYS} expected`);
  }
  return days;
}
