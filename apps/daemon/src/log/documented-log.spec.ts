import { LEVELS, LogLevels } from './log-levels.ts';
import { LevelLogger } from './level-logger.ts';

/** Every category that is documented, beside `*` for all. */
const CATEGORIES = [
  ...['default', 'net', 'net.http', 'net.p2p', 'logging', 'net.throttle', 'blockchain.db'],
  ...['blockchain.db.lmdb', 'bcutil', 'checkpoints', 'net.dns', 'net.dl', 'i18n', 'perf'],
  ...['stacktrace', 'updates', 'account', 'cn', 'difficulty', 'hardfork', 'miner', 'blockchain'],
  ...['txpool', 'cn.block_queue', 'net.cn', 'daemon', 'debugtools.deserialize'],
  ...['debugtools.objectsizes', 'device.ledger', 'wallet.gen_multisig', 'multisig', 'bulletproofs'],
  ...['ringct', 'daemon.rpc', 'wallet.simplewallet', 'WalletAPI', 'wallet.ringdb'],
  ...['wallet.wallet2', 'wallet.rpc', 'tests.core'],
];

/** The lines that a logger with these rules writes for one message of each level. */
function written(rules: string, category: string): string[] {
  const lines: string[] = [];
  const levels = new LogLevels();
  levels.set(rules);
  const logger = new LevelLogger(levels, [{ write: (line) => lines.push(line) }]).child(category);
  for (const name of ['error', 'warn', 'info', 'debug', 'trace'] as const) logger[name](name);
  return lines.map((line) => line.trimEnd().split('\t').at(-1) ?? '');
}

describe('the documented log', () => {
  test('levels, from the gravest to the most talkative', () => {
    expect(LEVELS).toEqual(['FATAL', 'ERROR', 'WARNING', 'INFO', 'DEBUG', 'TRACE']);
  });

  test('a level includes the graver ones', () => {
    const messages = ['error', 'warn', 'info', 'debug', 'trace'];
    for (const [at, level] of LEVELS.entries()) {
      expect(written(`*:${level}`, 'net')).toEqual(messages.slice(0, at));
      const levels = new LogLevels(`*:${level}`);
      expect(LEVELS.map((_, other) => levels.allows('net', other))).toEqual(
        LEVELS.map((_, other) => other <= at),
      );
    }
  });

  test.each(CATEGORIES)('category %s has a level of its own', (category) => {
    expect(written(`*:WARNING,${category}:DEBUG`, category)).toEqual([
      ...['error', 'warn', 'info', 'debug'],
    ]);
    expect(written(`*:WARNING,${category}:DEBUG`, 'something.else')).toEqual(['error', 'warn']);
    expect(written(`*:INFO,${category}:FATAL`, category)).toEqual([]);
  });

  test('category * is all of them', () => {
    for (const category of CATEGORIES) expect(written('*:ERROR', category)).toEqual(['error']);
  });

  test('by default, and at level 0, what the documentation lists', () => {
    const listed =
      '*:WARNING,net:FATAL,net.p2p:FATAL,net.cn:FATAL,global:INFO,verify:FATAL,stacktrace:INFO,logging:INFO,msgwriter:INFO';
    const defaults = new LogLevels().categories.split(',');
    // 0.18 silences some more categories.
    expect(defaults).toEqual(expect.arrayContaining(listed.split(',')));
    expect(new LogLevels('0').categories.split(',')).toEqual(defaults);
  });

  test('without any category nothing is written', () => {
    for (const category of CATEGORIES) expect(written('', category)).toEqual([]);
  });
});
