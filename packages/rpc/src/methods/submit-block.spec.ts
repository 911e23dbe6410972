/** @jest-environment node */
import type { AddBlockOptions } from '@monero-node/blockchain';
import { encodeBlock, fromHex, parseBlock, toHex, type Block } from '@monero-node/codec';
import { seedHeight } from '@monero-node/pow';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';
import { atRest, onceTrue } from '../testing/rounds.ts';

// Seeds change every 16 blocks. Read when a seed is first needed.
process.env['SEEDHASH_EPOCH_BLOCKS'] = '16';
process.env['SEEDHASH_EPOCH_LAG'] = '4';

describe('submit_block', () => {
  let node: RecordedServer;
  beforeEach(async () => {
    node = await recordedServer();
  });
  afterEach(() => node.stop());

  /** Returns the block at a height as hex, with some fields changed. */
  const changed = (height: number, changes: Partial<Block> = {}): string => {
    const { block } = parseBlock(node.chain.store.blockBlob(height) ?? new Uint8Array(0));
    return toHex(encodeBlock({ ...block, ...changes }));
  };
  const submit = async (hex: string, restricted: boolean): Promise<unknown> => {
    const answer = (await node.rpc('submit_block', [hex], restricted)) as {
      error?: { code: number; message: string };
    };
    return answer.error === undefined ? 'OK' : `${answer.error.code} ${answer.error.message}`;
  };

  test('on a restricted port takes no block whose seed is not that of the next block, known or not', async () => {
    const { height } = node.chain;
    const newest = [...Array(height).keys()].findLast(
      (at) => seedHeight(at) !== seedHeight(height),
    );
    const tooOld = '-7 Block is too old for restricted RPC';
    for (const old of [newest ?? 0, 20]) {
      expect(await submit(changed(old, { nonce: 77, txHashes: [] }), true)).toBe(tooOld);
      expect(await submit(changed(old), true)).toBe(tooOld);
    }
    const child = (newest ?? 0) + 1;
    expect(await submit(changed(child, { nonce: 78, txHashes: [] }), true)).not.toBe(tooOld);
  });

  test('on a restricted port takes no block whose parent is unknown, whatever else is wrong with it', async () => {
    const unknown = '-7 Unknown parent block';
    const top = node.chain.height - 1;
    const prevId = new Uint8Array(32).fill(7);
    expect(await submit(changed(top, { prevId }), true)).toBe(unknown);
    expect(await submit(changed(top, { prevId, majorVersion: 1 }), true)).toBe(unknown);
    expect(await submit(changed(0), true)).toBe(unknown);
    expect(await submit(changed(top, { prevId, txHashes: [] }), false)).toBe('OK');
  });

  test("the owner's blocks go first, each as work of its own; those of a stranger count for its host", async () => {
    const offered: AddBlockOptions['client'][] = [];
    const { chain } = node;
    const addBlock = chain.addBlock.bind(chain);
    chain.addBlock = (block, options) => {
      offered.push(options?.client);
      return addBlock(block, options);
    };
    const top = chain.height - 1;
    for (const restricted of [false, false, true, true])
      await submit(changed(top, { nonce: 79, txHashes: [] }), restricted);
    const [owner, ownerAgain, stranger, strangerAgain] = offered;
    expect([owner?.isOwner, owner?.losesByRefusal]).toEqual([true, undefined]);
    expect(ownerAgain?.host).not.toBe(owner?.host);
    expect([stranger?.isOwner, stranger?.losesByRefusal]).toEqual([undefined, false]);
    expect(strangerAgain?.host).toBe(stranger?.host);
  });

  test('looks at no stored transaction that a block lists, as only those in the pool count', async () => {
    const { store } = node.chain;
    const height = [...Array(store.height).keys()].find((at) => store.blockTxs(at).length > 1) ?? 0;
    const [id] = parseBlock(store.blockBlob(height) ?? new Uint8Array(0)).block.txHashes;
    let loaded = 0;
    const tx = store.tx.bind(store);
    store.tx = (...at) => {
      loaded++;
      return tx(...at);
    };
    const top = store.height - 1;
    const txHashes = Array<Uint8Array>(12_000).fill(id as Uint8Array);
    expect(await submit(changed(top, { nonce: 5, txHashes }), true)).toBe('-7 Block not accepted');
    const once = changed(top, { nonce: 6, txHashes: [id as Uint8Array] });
    expect(await submit(once, false)).toBe('-7 Block not accepted');
    expect(loaded).toBe(0);
  });
});

test('calc_pow hashes one blob at a time, as many as the owner asks for, and takes no cache from the chain for another seed', async () => {
  const asked: string[] = [];
  const ends: (() => void)[] = [];
  const hashing = (what: string) => (): Promise<Uint8Array> => {
    asked.push(what);
    return new Promise((resolve) => ends.push(() => resolve(new Uint8Array(32))));
  };
  const pow = { hash: hashing('hash'), hashAside: hashing('aside') };
  const node = await recordedServer({}, { pow });
  const call = (seed_hash: string): Promise<unknown> =>
    node.rpc('calc_pow', { block_blob: '00'.repeat(76), height: 5, major_version: 16, seed_hash });
  const answers = Array.from({ length: 5 }, () => call('12'.repeat(32)));
  for (let done = 0; done < 5; done++) {
    await onceTrue(() => asked.length > done);
    expect(await atRest(() => asked.length)).toBe(done + 1);
    ends[done]?.();
  }
  expect(await Promise.all(answers)).toEqual(
    Array(5).fill(expect.objectContaining({ result: '00'.repeat(32) })),
  );
  const { chain } = node;
  const current = call(toHex(chain.store.blockMeta(seedHeight(chain.height))?.id as Uint8Array));
  await onceTrue(() => asked.length === 6);
  ends[5]?.();
  await current;
  expect(asked).toEqual([...Array(5).fill('aside'), 'hash']);
  await node.stop();
});

test('add_aux_pow takes a template of a version that the network does not know, in the formats of the network', async () => {
  const node = await recordedServer();
  const { store } = node.chain;
  const { block } = parseBlock(store.blockBlob(store.height - 1) as Uint8Array);
  const template = encodeBlock({ ...block, majorVersion: 17 });
  const aux_pow = [{ id: '01'.repeat(32), hash: '02'.repeat(32) }];
  const answer = await node.rpc('add_aux_pow', {
    blocktemplate_blob: toHex(template),
    aux_pow,
  });
  const { result } = answer as {
    result: { blocktemplate_blob: string; blockhashing_blob: string };
  };
  const committed = parseBlock(fromHex(result.blocktemplate_blob), 'ringct');
  expect(committed.block.majorVersion).toBe(17);
  expect(result.blockhashing_blob).toBe(toHex(committed.hashingBlob));
  await node.stop();
});
