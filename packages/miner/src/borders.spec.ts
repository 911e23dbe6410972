import { Miner } from './index.ts';

test('a miner refuses options that it does not know', () => {
  const miner = (options: object) => () => new Miner(options as never, {} as never);
  expect(miner({ threads: 5 })).toThrow('Miner: no option "threads"; there are background,');
  expect(miner({ background: { idle: 5 } })).toThrow(
    'no option "idle" in background; there are minIdleSeconds, idleThreshold, target',
  );
});
