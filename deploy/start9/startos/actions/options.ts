import { settingsFile } from '../fileModels/settings';
import { sdk } from '../sdk';

const { InputSpec, Value } = sdk;

const amount = (name: string, units: string, fallback: string) =>
  Value.number({
    name,
    required: false,
    default: null,
    integer: true,
    min: 1,
    units,
    footnote: `Default: ${fallback}`,
  });

const spec = InputSpec.of({
  pruned: Value.toggle({
    name: 'Pruned chain',
    description: 'Takes half of the space. --prune-blockchain',
    warning: 'A pruned chain becomes whole only by downloading all of it again.',
    default: false,
  }),
  zmq: Value.toggle({
    name: 'ZeroMQ notifications',
    description: 'For P2Pool and other programs. --zmq-pub',
    default: true,
  }),
  tor: Value.toggle({
    name: 'Own transactions over Tor',
    description:
      'Needs the service Tor. --tx-proxy and, with a Tor address of "Peers", --anonymous-inbound',
    default: true,
  }),
  outPeers: amount('Outgoing peers', 'peers', '12'),
  inPeers: amount('Incoming peers', 'peers', 'any number'),
  limitRateUp: amount('Limit of uploads', 'kB/s', '8192'),
  limitRateDown: amount('Limit of downloads', 'kB/s', '32768'),
});

export const options = sdk.Action.withInput(
  'options',
  async () => ({
    name: 'Options',
    description: 'Pruning, ZeroMQ, Tor, peers and bandwidth. The node starts again.',
    warning: null,
    allowedStatuses: 'any',
    group: null,
    visibility: 'enabled',
  }),
  spec,
  () => settingsFile.read().once(),
  async ({ effects, input }) => {
    await settingsFile.merge(effects, input);
  },
);
