import { readPosition, WatchError } from '@monero-node/rpc-client/watch';
import { jest } from '@jest/globals';
import { toHex } from '@monero-node/codec';
import { exampleBlock, exampleId } from '../testing/example-block.ts';
import { WatchedChain, type StreamEvent, type StreamPosition } from './watched-chain.ts';

const START: StreamPosition = {
  version: 1,
  genesis: toHex(exampleId(0)),
  from: 5,
  height: 4,
  ids: [2, 3, 4].map((height) => toHex(exampleId(height))),
  work: '5',
};

/** Of every example. */
const WORK = exampleBlock(0).cumulative_difficulty;

let told: StreamEvent[];
const fail = jest.fn();
const compareGenesis = jest.fn<() => Promise<void>>();
beforeEach(() => {
  told = [];
  fail.mockReset();
  compareGenesis.mockReset().mockResolvedValue(undefined);
});

function watched({ lag = 0, depth = 100, start = START } = {}): WatchedChain {
  const tell = (event: StreamEvent): Promise<void> => {
    told.push(event);
    return Promise.resolve();
  };
  return new WatchedChain(start, { lag, depth }, { tell, fail, compareGenesis });
}

/** Adds the block of a height, with the message of the same number. */
const add = (chain: WatchedChain, height: number): Promise<void> =>
  chain.apply(exampleBlock(height), { height, id: exampleId(height), sequence: height });

const lines = (): string[] => told.map(({ kind, height }) => `${kind} ${height}`);

test('events have the position after them, which RPC can go on from', async () => {
  const chain = watched();
  await add(chain, 5);
  await chain.apply(exampleBlock(6), { height: 6, id: exampleId(6), sequence: undefined });
  expect(told).toMatchObject([
    { kind: 'applied', height: 5, id: exampleId(5), confirmations: 1, position: { sequence: 5 } },
    { kind: 'applied', height: 6, position: { height: 6, from: 5, work: WORK } },
  ]);
  const stored: unknown = JSON.parse(JSON.stringify(told[0]?.position));
  expect(readPosition(stored).ids).toEqual([2, 3, 4, 5].map((each) => toHex(exampleId(each))));
  expect(told[1]?.position).not.toHaveProperty('sequence');
  expect(await chain.tip()).toEqual({ height: 6, id: exampleId(6), sequence: undefined });
});

test('blocks below the first one that is wanted are not told', async () => {
  const chain = watched();
  await chain.revert({ height: 4, id: exampleId(4) }, { sequence: 8 });
  await add(chain, 4);
  await add(chain, 5);
  expect(lines()).toEqual(['applied 5']);
});

test('a block is told when enough others are above it, and not taken back before', async () => {
  const chain = watched({ lag: 2 });
  for (const height of [5, 6, 7]) await add(chain, height);
  expect(told).toMatchObject([{ height: 5, confirmations: 3, position: { sequence: 5 } }]);
  // Two that were not told, and the one that was.
  for (const height of [7, 6])
    await chain.revert({ height, id: exampleId(height) }, { sequence: 9 });
  expect(lines()).toEqual(['applied 5']);
  await chain.revert({ height: 5, id: exampleId(5) }, { sequence: 10 });
  expect(told.at(-1)).toMatchObject({
    ...{ kind: 'reverted', height: 5, id: exampleId(5) },
    position: { height: 4, sequence: 10 },
  });
});

test('a reorganization below what is remembered ends it', async () => {
  const chain = watched({ depth: 2 });
  await chain.revert({ height: 4, id: exampleId(4) }, { sequence: 8 });
  const error = await chain.revert({ height: 3, id: exampleId(3) }, { sequence: 9 }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(WatchError);
  expect(error).toMatchObject({ code: 'too-deep' });
  expect(fail.mock.calls).toEqual([[error]]);
});

test('a block without the work of its chain is refused', async () => {
  const block = { ...exampleBlock(5), cumulative_difficulty: '9'.repeat(40) };
  const position = { height: 5, id: block.id, sequence: 5 };
  await expect(watched().apply(block, position)).rejects.toThrow('block 5 without the work');
  expect(told).toEqual([]);
});

test('takes nothing back for a chain with another first block', async () => {
  const chain = watched();
  await add(chain, 5);
  const other = new WatchError('other-chain', 'another network');
  compareGenesis.mockRejectedValue(other);
  const drop = (): Promise<void> => chain.revert({ height: 5, id: exampleId(5) }, {});
  await expect(drop()).rejects.toBe(other);
  expect(fail.mock.calls).toEqual([[other]]);
  expect(lines()).toEqual(['applied 5']);
  expect((await chain.tip())?.height).toBe(5);
  // A broker that is away says nothing of the chain.
  fail.mockReset();
  compareGenesis.mockRejectedValueOnce(new Error('no responders'));
  await expect(drop()).rejects.toThrow('no responders');
  expect(fail).not.toHaveBeenCalled();
  compareGenesis.mockResolvedValue(undefined);
  await drop();
  expect(lines()).toEqual(['applied 5', 'reverted 5']);
});
