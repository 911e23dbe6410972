import { fullHelp, shortHelp, topicHelp } from './help.ts';
import { OPTION_TOPICS, OPTIONS } from './options/options.ts';
import { UsageError } from './usage-error.ts';

const optionsIn = (text: string): string[] =>
  [...text.matchAll(/^ {2}--([\w-]+)/gm)].map(([, name = '']) => name);

test('--help-all names every option', () => {
  expect(optionsIn(fullHelp('v')).sort()).toEqual(OPTIONS.map(({ name }) => name).sort());
});

test('--help fits on a screen, with the topics', () => {
  const text = shortHelp('monero-node (v1)');
  expect(text).toMatch(/^monero-node \(v1\)\n\nUsage: /);
  expect(text.split('\n').length).toBeLessThanOrEqual(40);
  expect(optionsIn(text)).toEqual(expect.arrayContaining(['data-dir', 'rpc-login', 'log-level']));
  for (const { name } of OPTION_TOPICS) expect(text).toContain(`\n  ${name} `);
});

test('every option is in exactly one topic', () => {
  const inTopics = OPTION_TOPICS.flatMap(({ name }) => optionsIn(topicHelp(name)));
  expect(inTopics.sort()).toEqual(OPTIONS.map(({ name }) => name).sort());
});

test.each([
  ['general', 'detach'],
  ['network', 'stagenet'],
  ['storage', 'data-dir'],
  ['sync', 'fast-block-sync'],
  ['p2p', 'add-peer'],
  ['p2p', 'offline'],
  ['privacy', 'tx-proxy'],
  ['rpc', 'rpc-login'],
  ['rpc', 'bootstrap-daemon-proxy'],
  ['zmq', 'zmq-rpc-bind-port'],
  ['mining', 'bg-mining-enable'],
  ['logging', 'max-log-file-size'],
  ['notify', 'reorg-notify'],
])('--help %s has --%s', (topic, option) => {
  expect(optionsIn(topicHelp(topic))).toContain(option);
});

test('--help explains an option, and refuses what is neither topic nor option', () => {
  expect(topicHelp('rpc-login')).toMatch(/^ {2}--rpc-login USER\[:PASSWORD\] +Digest login/);
  expect(topicHelp('--testnet')).toContain('Run on testnet');
  expect(() => topicHelp('nonsense')).toThrow(UsageError);
  expect(() => topicHelp('nonsense')).toThrow(
    "no topic or option 'nonsense'; the topics are general,",
  );
});
