import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import { minerAddress } from '@monero-node/rpc/shared';
import { openNode } from '../open-node.ts';
import type { NodeOptions } from '../options.ts';

const ADDRESS =
  '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'stratum-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Returns a lonely node on loopback whose blocks every hash makes. */
function options(tls: boolean): NodeOptions {
  return {
    network: withOverrides(NETWORKS.regtest, { fixedDifficulty: 1n }),
    rpc: { bindPort: 0, tls: { mode: 'autodetect', directory } },
    p2p: { offline: true },
    stratum: {
      bindIp: '127.0.0.1',
      bindPort: 0,
      anyAddress: false,
      password: undefined,
      tls,
      address: minerAddress(ADDRESS, NETWORKS.regtest),
    },
  };
}

interface Answer {
  readonly result?: { readonly id: string; readonly job: { readonly job_id: string } };
}

/** Sends a request; resolves to the first line that comes back. */
async function ask(socket: Socket, method: string, params: object): Promise<Answer> {
  socket.write(`${JSON.stringify({ id: 1, method, params })}\n`);
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  return JSON.parse(bytes.toString().split('\n')[0] ?? '') as Answer;
}

test('rigs log in over plain text and over TLS at one port', async () => {
  const node = await openNode(options(true));
  await node.start();
  const port = node.stratum?.port ?? 0;
  const plain = connect(port, '127.0.0.1');
  const secret = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
  for (const [socket, login] of [
    [plain, 'plain'],
    [secret, 'secret'],
  ] as const) {
    const { result } = await ask(socket, 'login', { login });
    expect(result?.job).toMatchObject({ algo: 'rx/0', height: 1 });
  }
  expect(node.stratum?.rigs.map(({ name }) => name)).toEqual(['plain', 'secret']);
  const answer = await fetch(`http://127.0.0.1:${node.rpc.ports.main}/json_rpc`, {
    method: 'POST',
    body: JSON.stringify({ id: 0, method: 'get_stratum_rigs' }),
  });
  expect(await answer.json()).toMatchObject({
    result: { connected: 2, rigs: [{ name: 'plain', pays: 'owner' }, { name: 'secret' }] },
  });
  expect(secret.encrypted).toBe(true);
  await node.stop();
});

test('TLS is not served unless it is asked for', async () => {
  const node = await openNode(options(false));
  await node.start();
  const port = node.stratum?.port ?? 0;
  const secret = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await expect(once(secret, 'secureConnect')).rejects.toThrow();
  await node.stop();
});

test('a block of a rig joins the chain, and a wrong one does not', async () => {
  const node = await openNode(options(false));
  await node.start();
  const socket = connect(node.stratum?.port ?? 0, '127.0.0.1');
  const { result } = await ask(socket, 'login', { login: 'rig1' });
  const share = { id: result?.id, job_id: result?.job.job_id, nonce: '01000000' };
  const lie = await ask(socket, 'submit', { ...share, result: '11'.repeat(32) });
  expect(lie).toMatchObject({ error: { message: 'Low difficulty share' } });
  expect(node.blockchain.height).toBe(1);
  const job = await ask(socket, 'getjob', { id: result?.id });
  const { blob, job_id, seed_hash } = job.result as unknown as Record<string, string>;
  const bytes = Buffer.from(blob ?? '', 'hex');
  bytes.writeUInt32LE(7, 39);
  const hash = await node.pow.hash({
    kind: 'randomx',
    seedHash: Uint8Array.from(Buffer.from(seed_hash ?? '', 'hex')),
    blob: Uint8Array.from(bytes),
  });
  const right = { id: result?.id, job_id, nonce: '07000000' };
  socket.write(
    `${JSON.stringify({ id: 2, method: 'submit', params: { ...right, result: Buffer.from(hash).toString('hex') } })}\n`,
  );
  await once(node.blockchain, 'blocks-added');
  expect(node.blockchain.height).toBe(2);
  expect(node.stratum?.counts.shares.refused).toBe(1);
  await node.stop();
  expect(node.stratum?.counts).toMatchObject({ blocks: 1, shares: { accepted: 1 } });
});
