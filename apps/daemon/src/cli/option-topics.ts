import { OPTIONS } from './options.ts';
import type { OptionSpec } from './option-types.ts';

/** Options that belong together. */
export interface OptionTopic {
  readonly name: string;
  readonly title: string;
  readonly options: readonly OptionSpec[];
}

/** The first rule that matches the name of an option decides. */
const RULES: readonly (readonly [name: string, title: string, options: RegExp])[] = [
  ['logging', 'Log', /^(max-)?log-|^show-time-stats$/],
  ['mining', 'Mining', /mining|^extra-messages-file$/],
  ['zmq', 'ZeroMQ', /zmq/],
  ['events', 'Events on NATS JetStream', /^events/],
  [
    'rpc',
    'RPC for wallets and commands',
    /rpc|^confirm-external-bind$|^public-node$|^bootstrap-|^ready-|^fleet-|^drain-/,
  ],
  ['notify', 'Programs that the daemon runs', /-notify$/],
  ['privacy', 'Proxies, Tor and I2P', /proxy|^anonymous-inbound$/],
  ['network', 'Network', /^(testnet|stagenet|regtest|keep-fakechain|fixed-difficulty|hard-forks)$/],
  [
    'storage',
    'Files and database',
    /^data-dir$|^prune-|^db-|^keep-alt-blocks$|^max-txpool-weight$/,
  ],
  [
    'sync',
    'Synchronisation and verification',
    /sync|^block-(hashes|download)|^prep-|^batch-|^span-|checkpoint|^max-concurrency$|^crypto-|^pow-/,
  ],
  [
    'p2p',
    'Peers',
    /p2p|peer|-node$|^allow-local-ip$|^ban-list$|^hide-|blocklist$|igd$|^tos-|^limit-|^pad-|^max-connections|^offline$|fluffy/,
  ],
  ['general', 'General', /^/],
];

/** Returns the name of the topic of an option. */
function topicOf({ name, group }: OptionSpec): string {
  if (group === 'command') return 'general';
  return RULES.find(([, , options]) => options.test(name))?.[0] ?? 'general';
}

/** Every option, in exactly one topic. */
export const OPTION_TOPICS: readonly OptionTopic[] = RULES.map(([name, title]) => ({
  name,
  title,
  options: OPTIONS.filter((spec) => topicOf(spec) === name),
})).reverse();
