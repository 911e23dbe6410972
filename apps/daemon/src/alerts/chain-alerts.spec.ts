import { EventEmitter } from 'node:events';
import { silentLogger } from '@monero-node/base';
import type { ChainEvents } from '@monero-node/blockchain';
import type { LedgerEntry, LedgerEvents, LedgerFate } from '@monero-node/miner';
import type { Alerts } from './alerts.ts';
import { ChainAlerts } from './chain-alerts.ts';

let blockchain: EventEmitter<ChainEvents>;
let ledger: EventEmitter<LedgerEvents> & { entries: LedgerEntry[] };
let told: Parameters<Alerts['tell']>[];
let logged: string[];
let part: ChainAlerts;
beforeEach(() => {
  blockchain = new EventEmitter();
  ledger = Object.assign(new EventEmitter<LedgerEvents>(), { entries: [] });
  [told, logged] = [[], []];
  part = new ChainAlerts(3, {
    blockchain,
    ledger,
    alerts: { tell: (...alert) => void told.push(alert) },
    logger: { ...silentLogger, warn: (line) => void logged.push(line) },
  });
});

const reorg = (removed: number): boolean =>
  blockchain.emit('reorg', {
    splitHeight: 100,
    removed: new Array(removed).fill({}) as ChainEvents['reorg'][0]['removed'],
    added: removed + 1,
  });

const entry = (fate: LedgerFate, height = 3_712_345): LedgerEntry => ({
  fate,
  block: {
    height,
    id: `${height}`.padStart(64, '0'),
    finder: { kind: 'rig', rig: 'rig1' },
    reward: 600_000_000_000n,
    difficulty: 1n,
    hashes: 1,
    foundAt: 0,
  },
});

test('a reorganization is told when it removes enough blocks, in the words of the log', async () => {
  await part.start();
  reorg(2);
  expect(told).toEqual([]);
  reorg(3);
  const sentence =
    'Reorganization at height 100: 3 blocks were replaced by 4. Compare the top block with other nodes before you accept payments.';
  expect(told).toEqual([['reorganization', sentence, { split_height: 100, removed: 3, added: 4 }]]);
  expect(logged).toEqual([sentence]);
});

test('blocks of this node are told when they are found, orphaned and restored', async () => {
  await part.start();
  ledger.emit('found', entry('pending'));
  for (const fate of ['orphaned', 'pending', 'confirmed', 'unlocked'] as const)
    ledger.emit('fate', entry(fate));
  expect(told.map(([kind, message]) => `${kind}: ${message}`)).toEqual([
    'block-found: Block 3,712,345 found by rig1',
    'block-orphaned: Block 3,712,345 found by rig1 was orphaned',
    'block-restored: Block 3,712,345 found by rig1 is in the main chain again',
  ]);
  expect(told[0]?.[2]).toEqual({
    height: 3_712_345,
    block_id: entry('pending').block.id,
    finder: 'rig1',
    reward: '600000000000',
  });
});

test('a block that comes too late is no block found, and may be restored', async () => {
  await part.start();
  ledger.emit('found', entry('orphaned'));
  ledger.emit('fate', entry('pending'));
  expect(told.map(([kind, message]) => `${kind}: ${message}`)).toEqual([
    'block-orphaned: Block 3,712,345 found by rig1 came too late',
    'block-restored: Block 3,712,345 found by rig1 is in the main chain again',
  ]);
});

test('a block that was orphaned before the start may be restored', async () => {
  ledger.entries = [entry('orphaned', 7), entry('pending', 8)];
  await part.start();
  ledger.emit('fate', entry('confirmed', 8));
  ledger.emit('fate', entry('unlocked', 7));
  expect(told.map(([kind]) => kind)).toEqual(['block-restored']);
});

test('nothing is told after the stop, and no listener is left', async () => {
  await part.start();
  await part.stop();
  expect(blockchain.eventNames()).toEqual([]);
  expect(ledger.eventNames()).toEqual([]);
});
