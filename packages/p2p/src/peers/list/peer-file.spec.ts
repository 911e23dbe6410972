import { mkdtemp, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ipAddress, parsePeerAddress } from '../../net/parse-address.ts';
import type { NetAddress } from '../../net/address.ts';
import { PeerFile, type SavedPeerFacts } from './peer-file.ts';

let directory: string;
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'p2p-peers-'))));
afterEach(() => rm(directory, { recursive: true, force: true }));

const known = (host: string) => ({
  address: ipAddress(host, 18080) as NetAddress,
  id: 0xfedcba9876543210n,
  lastSeen: 1_700_000_000,
  pruningSeed: 384,
  rpcPort: 18089,
  rpcCreditsPerHash: 0,
});
const SAVED: SavedPeerFacts = {
  lists: {
    white: [known('9.9.9.9'), known('2001:db8::1')],
    gray: [known('8.8.8.8')],
    anchor: [{ address: ipAddress('9.9.9.9', 18080) as NetAddress, id: 7n, firstSeen: 5 }],
  },
  incoming: {
    public: { first: 1_600_000_000, last: 1_700_000_000 },
    tor: { first: 1_650_000_000, last: 1_650_000_000 },
  },
};

test('restores what was saved', async () => {
  const file = new PeerFile(join(directory, 'made', 'on', 'demand'));
  expect(await file.load()).toBeUndefined();
  await file.save(SAVED);
  await file.save(SAVED);
  expect(await file.load()).toEqual(SAVED);
  expect(await readdir(join(directory, 'made', 'on', 'demand'))).toEqual(['p2p-peers.json']);
});

test.each([
  'vww6ybal4bd7szmgncyruucpgfkqahzddi37ktceo3ah7ngmcopnpyyd.onion:18083',
  // I2P has no ports.
  'jgnsdrtwqwxn7efmnqhvdpkyvljxnbdlcuvyfxzcptzw3cqexxkq.b32.i2p',
])('restores %s', async (text) => {
  const address = parsePeerAddress(text, 1) as NetAddress;
  const peer = { ...known('9.9.9.9'), address };
  const lists = { white: [peer], gray: [peer], anchor: [{ address, id: 7n, firstSeen: 5 }] };
  const file = new PeerFile(directory);
  await file.save({ lists, incoming: {} });
  expect(await file.load()).toEqual({ lists, incoming: {} });
});

test('the file states its format', async () => {
  await new PeerFile(directory).save(SAVED);
  const text = await readFile(join(directory, 'p2p-peers.json'), 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    format: 1,
    white: [
      { address: '9.9.9.9:18080', id: 'fedcba9876543210' },
      { address: '[2001:db8::1]:18080' },
    ],
  });
});

test.each([
  '',
  '{',
  'null',
  '[]',
  '{"format":2}',
  '{"format":1,"white":3}',
  '{"format":1,"incoming":7}',
])('makes something or nothing of %j, but never an accident', async (text) => {
  await writeFile(join(directory, 'p2p-peers.json'), text);
  const loaded = await new PeerFile(directory).load().catch((error: unknown) => error);
  if (loaded instanceof Error) return;
  expect(loaded).toEqual({ lists: { white: [], gray: [], anchor: [] }, incoming: {} });
});

test('skips invalid entries', async () => {
  const white = [
    null,
    {},
    { address: '1.2.3.4:0', id: '1' },
    { address: '1.2.3.4:5', id: 'x' },
    { address: '1.2.3.4:5', id: '1', lastSeen: -3, pruningSeed: 'x', rpcPort: 1e300 },
  ];
  await writeFile(join(directory, 'p2p-peers.json'), JSON.stringify({ format: 1, white }));
  expect((await new PeerFile(directory).load())?.lists).toMatchObject({
    white: [{ address: { host: '1.2.3.4', port: 5 }, lastSeen: 0, pruningSeed: 0, rpcPort: 0 }],
  });
});

test('skips times that cannot be', async () => {
  const incoming = {
    public: { first: 5, last: 4 },
    tor: { first: 'x', last: 9 },
    i2p: null,
    libp2p: { first: 3, last: 4 },
    moon: { first: 1, last: 2 },
  };
  await writeFile(join(directory, 'p2p-peers.json'), JSON.stringify({ format: 1, incoming }));
  const loaded = await new PeerFile(directory).load();
  expect(loaded?.incoming).toEqual({ libp2p: { first: 3, last: 4 } });
});

test('rejects a file above the size limit', async () => {
  const path = join(directory, 'p2p-peers.json');
  await writeFile(path, '');
  await truncate(path, 9_000_000);
  await expect(new PeerFile(directory).load()).rejects.toThrow(/too large/);
});

test('without a directory nothing is saved', async () => {
  const file = new PeerFile(undefined);
  await file.save(SAVED);
  expect(await file.load()).toBeUndefined();
});
