import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PeerFile } from './peer-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'peer-file-'));
const path = join(folder, 'p2p-peers.json');
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const known = {
  lastSeen: 1_700_000_000,
  pruningSeed: 384,
  rpcPort: 18_089,
  rpcCreditsPerHash: 0,
  id: 'fedcba9876543210',
};
const ONION = 'vww6ybal4bd7szmgncyruucpgfkqahzddi37ktceo3ah7ngmcopnpyyd.onion:18083';
const I2P = 'jgnsdrtwqwxn7efmnqhvdpkyvljxnbdlcuvyfxzcptzw3cqexxkq.b32.i2p';
const files = [
  { format: 1, white: [{ address: '9.9.9.9:18080', ...known }], gray: [], anchor: [] },
  {
    format: 1,
    white: [{ address: '[2001:db8::1]:18080', ...known }],
    gray: [
      { address: ONION, ...known },
      { address: I2P, ...known },
    ],
    anchor: [{ address: '1.2.3.4:18080', id: '1', firstSeen: 5 }],
    incoming: { public: { first: 1_600_000_000, last: 1_700_000_000 }, tor: { first: 1, last: 1 } },
  },
];
export const seeds = files.map((file) => new TextEncoder().encode(JSON.stringify(file)));
export const tokens = ['{"address":"', '"id":"', '.onion', '.b32.i2p', '::', '[', ']', '"white":'];

/** A file is read or refused with Error; what was read is saved, and read again to the same lists. */
export async function fuzz(input: Uint8Array): Promise<void> {
  writeFileSync(path, input);
  const file = new PeerFile(folder);
  const found = await file.load().catch((error: unknown) => {
    if (error instanceof SyntaxError || (error instanceof Error && error.name === 'Error')) return;
    throw error;
  });
  if (found === undefined) return;
  await file.save(found);
  const first = readFileSync(path, 'utf8');
  await file.save((await file.load()) ?? found);
  if (readFileSync(path, 'utf8') !== first) throw new Error('the saved lists differ');
}
