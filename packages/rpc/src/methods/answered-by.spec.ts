import { METHODS } from './index.ts';

const byWorkers = new Set(
  METHODS.filter(({ answeredBy }) => answeredBy === 'worker').map(({ name }) => name),
);

test('workers answer what only reads the chain', () => {
  const reading = ['get_info', 'get_blocks.bin', 'get_outs.bin', 'get_transactions', 'get_block'];
  expect(reading.filter((name) => byWorkers.has(name))).toEqual(reading);
});

test('what changes something, or is not known by its name, is for the main process', () => {
  const others = ['send_raw_transaction', 'submit_block', 'set_bans', 'get_connections', 'openapi'];
  expect(others.filter((name) => byWorkers.has(name))).toEqual([]);
});
