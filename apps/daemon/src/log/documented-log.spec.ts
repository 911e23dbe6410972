import { LEVELS, LogLevels } from './log-levels.ts';
import { LevelLogger } from './level-logger.ts';

/** Every documented category except `*`. */
const CATEGORIES = [
  ...['default', 'net', 'net.http', 'net.p2p', 'logging', 'net.throttle', 'blockchain.db'],
  ...['blockchain.db.lmdb', 'bcutil', 'checkpoints', 'net.dns', 'net.dl', 'i18n', 'perf'],
  ...['stacktrace', 'updates', 'account', 'cn', 'difficulty', 'hardfork', 'miner', 'blockchain'],
  ...['txpool', 'cn.block_queue', 'net.cn', 'daemon', 'debugtools.deserialize'],
  ...['debugtools.objectsizes', 'device.ledger', 'wallet.gen_multisig', 'multisig', 'bulletproofs'],
  ...['ringct', 'daemon.rpc', 'wallet.simplewallet', 'WalletAPI', 'wallet.ringdb'],
  ...['wallet.wallet2', 'wallet.rpc', 'tests.core'],
];

/** Returns the messages that a logger with these rules writes when given one of each level. */
function written(rules: string, category: string): string[] {
  const lines: string[] = [];
  const levels = new LogLevels();
  levels.set(rules);
  const logger = new LevelLogger(levels, [{ write: (line) => lines.push(line) }]).child(category);
  for (const name of ['error', 'warn', 'info', 'debug', 'trace'] as const) logger[name](name);
  return lines.map((line) => line.trimEnd().split('\t').at(-1) ?? '');
}

describe('the documented log', () => {
  test('has six levels', () => {
    expect(LEVELS).toEqual(['FATAL', 'ERROR', 'WARNING', 'INFO', 'DEBUG', 'TRACE']);
  });

  test('includes more severe levels in each level', () => {
    const messages = ['error', 'warn', 'info', 'debug', 'trace'];
    for (const [at, level] of LEVELS.entries()) {
      expect(written(`*:${level}`, 'net')).toEqual(messages.slice(0, at));
      const levels = new LogLevels(`*:${level}`);
      expect(LEVELS.map((_, other) => levels.allows('net', other))).toEqual(
        LEVELS.map((_, other) => other <= at),
      );
    }
  });

  test.each(CATEGORIES)('sets the level of category %s separately', (category) => {
    expect(written(`*:WARNING,${category}:DEBUG`, category)).toEqual([
      ...['error', 'warn', 'info', 'debug'],
    ]);
    expect(written(`*:WARNING,${category}:DEBUG`, 'something.else')).toEqual(['error', 'warn']);
    expect(written(`*:INFO,${category}:FATAL`, category)).toEqual([]);
  });

  test('sets the level of every category with *', () => {
    for (const category of CATEGORIES) expect(written('*:ERROR', category)).toEqual(['error']);
  });

  test('has the documented categories by default and at level 0', () => {
    const listed =
      '*:WARNING,net:FATAL,net.p2p:FATAL,net.cn:FATAL,global:INFO,verify:FATAL,stacktrace:INFO,logging:INFO,msgwriter:INFO';
    const defaults = new LogLevels().categories.split(',');
    // 0.18 silences some more categories.
    expect(defaults).toEqual(expect.arrayContaining(listed.split(',')));
    expect(new LogLevels('0').categories.split(',')).toEqual(defaults);
  });

  test('writes nothing without any category', () => {
    for (const category of CATEGORIES) expect(written('', category)).toEqual([]);
  });
});
