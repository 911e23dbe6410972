import { StorageError } from '@monero-node/storage';
import { recordedServer, type RecordedServer } from '../../testing/recorded-server.ts';
import { machineFailure } from './machine-failure.ts';

/** Names a path, as the errors of a store do. */
const full = new StorageError('io', 'the disk that holds /home/ann/chain/data.mdb is full', {
  systemCode: 'ENOSPC',
});

describe('a store that takes no more writes', () => {
  let node: RecordedServer;
  beforeEach(async () => {
    node = await recordedServer();
    const refuse = (): Promise<never> => Promise.reject(full);
    Object.assign(node.chain, { addBlock: refuse, popBlocks: refuse });
  });
  afterEach(() => node.stop());

  test.each([false, true])(
    'ends submit_block with a code and a sentence without a path (restricted: %s)',
    async (restricted) => {
      const { result } = (await node.rpc('get_block', { height: 1 })) as {
        result: { blob: string };
      };
      expect(await node.rpc('submit_block', [result.blob], restricted)).toEqual({
        id: 0,
        jsonrpc: '2.0',
        error: { code: -5, message: "The node's disk is full" },
      });
    },
  );

  test('ends pop_blocks with a status that says so', async () => {
    const { status, body } = await node.path('/pop_blocks', { nblocks: 1 });
    expect(status).toBe(200);
    expect(JSON.parse(body.toString())).toMatchObject({ status: "The node's disk is full" });
  });
});

test('other failures of the machine are told apart, and errors of the program do not count', () => {
  expect(machineFailure(new StorageError('io', 'secret', { systemCode: 'EIO' }))).toBe(
    "The node's database failed",
  );
  expect(machineFailure(new StorageError('closed', 'secret'))).toBe('The node is stopping');
  expect(machineFailure(new StorageError('bad-height', 'secret'))).toBe(
    'The node failed: its log names the reason',
  );
  expect(machineFailure(new TypeError('secret'))).toBeUndefined();
});
