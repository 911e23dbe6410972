import { silentLogger, type Logger } from '@monero-node/base';
import { Trouble } from './trouble.ts';

test('the operator is told once, then at growing intervals, and once when it works again', () => {
  const lines: string[] = [];
  const logger: Logger = {
    ...silentLogger,
    warn: (line) => lines.push(line),
    info: (line) => lines.push(line),
  };
  let now = 0;
  const trouble = new Trouble('nats://127.0.0.1:1', logger, () => now);
  const told = (seconds: number): number => {
    lines.length = 0;
    for (const end = now + seconds * 1000; now < end; now += 1000)
      trouble.failed(new Error('gone'));
    return lines.length;
  };
  expect(told(59)).toBe(1);
  expect(lines[0]).toContain('Check that nats-server runs at nats://127.0.0.1:1');
  expect(told(60)).toBe(1);
  expect(told(60)).toBe(0);
  expect(told(24 * 3600)).toBeLessThan(30);
  lines.length = 0;
  trouble.worked();
  trouble.worked();
  expect(lines).toEqual(['Events are published again to nats://127.0.0.1:1.']);
});
