import { Yielder, silentLogger } from '@monero-node/base';
import { TemplateError, type TemplateRequest } from '@monero-node/blockchain';
import type { RpcContext } from '../context.ts';
import { recordedChain, recordedPool } from '../testing/recorded.ts';
import { fakeP2p } from '../testing/fake-node.ts';
import { makeTemplate } from '../mining/block-template.ts';
import { POOL_ROWS } from './pool.ts';

/** Of a recorded wallet. */
const ADDRESS =
  '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';

test('a restricted listener does not tell the age of transactions in the backlog, others do', async () => {
  const times = async (restricted: boolean): Promise<Set<bigint>> => {
    const pool = recordedPool();
    const [first] = pool.transactions();
    const now = (): number => (first?.receiveTime ?? 0) + 101;
    const context = { services: { pool, now }, restricted, yielder: new Yielder() };
    const { backlog } = await POOL_ROWS.getTxpoolBacklog.handler(
      {},
      context as unknown as RpcContext,
    );
    const bytes = Buffer.from(backlog as Uint8Array);
    expect(bytes.length).toBeGreaterThanOrEqual(24);
    const entries = Array.from({ length: bytes.length / 24 }, (_, at) => 24 * at);
    return new Set(entries.map((at) => bytes.readBigInt64LE(at + 16)));
  };
  expect(await times(true)).toEqual(new Set([0n]));
  expect(await times(false)).toContain(101n);
});

test('a restricted listener asks for templates of public transactions only', async () => {
  const asked: (boolean | undefined)[] = [];
  const chain = await recordedChain(3);
  const templates = {
    create: ({ publicOnly }: TemplateRequest) => {
      asked.push(publicOnly);
      return Promise.reject(new TemplateError('tip-moved', 'none'));
    },
  };
  const call = { wallet_address: ADDRESS, reserve_size: 0n, extra_nonce: '', prev_block: '' };
  for (const restricted of [true, false]) {
    const services = { chain, p2p: fakeP2p(), templates, logger: silentLogger };
    const context = { services, restricted };
    await expect(makeTemplate(call, context as never)).rejects.toThrow('failed to create');
  }
  expect(asked).toEqual([true, false]);
  await chain.stop();
});
