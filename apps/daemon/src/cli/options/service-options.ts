import {
  defineOptions,
  flag,
  integer,
  list,
  PORT,
  SAME_DEFAULT,
  text,
  U32,
} from './define-options.ts';

/** Options of the services besides the RPC: ZeroMQ, metrics, events and alerts. */
export const SERVICE_OPTIONS = defineOptions({
  'zmq-rpc-bind-ip': text('Address of the ZeroMQ RPC', {
    topic: 'zmq',
    value: 'IP',
    default: '127.0.0.1',
    shownBy: 'zmq/zmq-server',
  }),
  'zmq-rpc-bind-port': integer('Port of the ZeroMQ RPC', {
    topic: 'zmq',
    range: PORT,
    shownDefault: '18082, 28082 or 38082',
    defaultNote: SAME_DEFAULT,
    shownBy: 'zmq/zmq-server',
  }),
  'zmq-pub': list('Publish events over ZeroMQ at this address, tcp://IP:PORT or ipc://PATH', {
    topic: 'zmq',
    value: 'ADDRESS',
    shownBy: 'zmq/subscriptions',
  }),
  'no-zmq': flag('Do not serve ZeroMQ', { topic: 'zmq', shownBy: 'daemon/cli/zmq-settings' }),
  'restricted-zmq-rpc': flag('Serve restricted ZeroMQ RPC, without calls that change this node', {
    topic: 'zmq',
    shownBy: 'zmq/zmq-server',
  }),
  'confirm-zmq-rpc-external-bind': flag('Allow a --zmq-rpc-bind-ip that is not loopback', {
    topic: 'zmq',
    shownBy: 'zmq/zmq-server',
  }),
  'metrics-bind-ip': text(
    'Address to serve metrics at. Anyone who reaches it can read them (docs/operating/monitoring.md)',
    { topic: 'general', value: 'IP', default: '127.0.0.1' },
  ),
  'metrics-bind-port': integer('Port that serves metrics to Prometheus at /metrics', {
    topic: 'general',
    range: PORT,
  }),
  events: text(
    'Publish events of the chain and the pool to this NATS server, nats://HOST:PORT or tls://HOST:PORT; to a cluster: its servers, separated by commas (docs/operating/events.md)',
    { topic: 'events', value: 'URL' },
  ),
  'events-credentials': text(
    'Login at the NATS server: a .creds file, the seed of an nkey, USER:PASSWORD or a token',
    { topic: 'events', value: 'FILE' },
  ),
  'events-tls-ca': text('Certificates (PEM) that the one of the NATS server must descend from', {
    topic: 'events',
    value: 'FILE',
  }),
  'events-tls-cert': text(
    'Certificate (PEM) by which the NATS server knows this node; needs --events-tls-key',
    { topic: 'events', value: 'FILE' },
  ),
  'events-tls-key': text('Key (PEM) of --events-tls-cert', { topic: 'events', value: 'FILE' }),
  'events-prefix': text('Beginning of the subjects of events', {
    topic: 'events',
    value: 'PREFIX',
    shownDefault: 'monero.<network>',
  }),
  'events-stream': text('Beginning of the names of the streams of events', {
    topic: 'events',
    value: 'NAME',
    shownDefault: 'MONERO_<NETWORK>',
  }),
  'events-encoding': text('Form of events: json or portable-storage', {
    topic: 'events',
    value: 'FORM',
    default: 'json',
  }),
  'events-from': integer('First block of a new stream; 100 below the top when absent', {
    topic: 'events',
    range: U32,
  }),
  'events-keep-days': integer('Days that a new stream keeps its events', {
    topic: 'events',
    range: U32,
    default: 30,
  }),
  'events-replicas': integer(
    'Servers of a NATS cluster that keep each message of a new stream: 1, 3 or 5',
    { topic: 'events', range: U32, default: 1 },
  ),
  'seed-from': text(
    'Copy the chain from another node (HOST:PORT of its --seed-bind-port), or from a backup (URL of its seed.json), into a data directory without one, and verify it before anything is served (docs/operating/fleet.md)',
    { topic: 'storage', value: 'SOURCE' },
  ),
  'seed-verify': text(
    'What --seed-from verifies: quick (the trusted list, the fleet, the newest blocks) or rows (every row too)',
    {
      topic: 'storage',
      value: 'LEVEL',
      default: 'quick',
      words: ['quick', 'rows'],
      isPlain: true,
    },
  ),
  'seed-key-file': text(
    'File with the key, one line of at least 32 characters, that nodes share which copy the chain from each other',
    { topic: 'storage', value: 'FILE' },
  ),
  'seed-bind-ip': text('Address at which new nodes may copy the chain', {
    topic: 'storage',
    value: 'IP',
    default: '127.0.0.1',
  }),
  'seed-bind-port': integer(
    'Port at which new nodes with the key of --seed-key-file may copy the chain (--seed-from)',
    { topic: 'storage', range: PORT },
  ),
  'alert-command': text(
    'Command to run for each alert (docs/operating/alerts.md); %s is a sentence, %k its kind, %v its severity, %t its state, %i its id, %j all as JSON',
    { topic: 'notify', value: 'COMMAND' },
  ),
  'alert-webhook': text('Send each alert as JSON to this URL of http or https', {
    topic: 'notify',
    value: 'URL',
  }),
  'alert-secret-file': text('File with the secret that signs what --alert-webhook sends', {
    topic: 'notify',
    value: 'FILE',
  }),
  'alert-reorg-depth': integer('Blocks that a reorganization must remove to be an alert', {
    topic: 'notify',
    range: [1, 100_000],
    default: 3,
  }),
});
