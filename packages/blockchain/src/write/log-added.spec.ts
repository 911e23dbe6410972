import { silentLogger, type Logger } from '@monero-node/base';
import { toHex } from '@monero-node/codec';
import { genesisOf, makeBranch, type MadeBlock } from '../testing/block-factory.ts';
import { bundleOf, EASY, startTestChain } from '../testing/test-chain.ts';

/** Opens a chain whose lines at the level INFO are kept, with their times left out. */
async function chainWithLines() {
  const lines: string[] = [];
  const logger: Logger = {
    ...silentLogger,
    info: (line) => lines.push(line.replace(/\d+\.\d ms/, 'T ms')),
  };
  const { chain } = await startTestChain(EASY, undefined, {}, logger);
  return { chain, lines };
}

const branch = makeBranch(EASY, genesisOf(EASY), 4);
const top = (blocks: readonly MadeBlock[]) => blocks.at(-1) as MadeBlock;
const id = (at: number) => toHex((branch[at] as MadeBlock).parsed.id);

test('one line for each block added, with its height, id, transactions, weight, time and origin', async () => {
  const { chain, lines } = await chainWithLines();
  const [first, ...others] = branch.map(bundleOf);
  if (first === undefined) throw new Error('no block');
  await chain.addBlock(first, { origin: '203.0.113.7:18080' });
  const { weight = 0 } = chain.store.blockMeta(1) ?? {};
  expect(lines).toEqual([
    `block 1 added: ${id(0)}, 0 transactions, weight ${weight}, T ms from 203.0.113.7:18080`,
  ]);
  await chain.addSpan(others);
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(`^block 2 added: ${id(1)}, .*, T ms for 3 blocks$`),
    expect.stringMatching(`^block 3 added: ${id(2)}, .*, T ms for 3 blocks$`),
    expect.stringMatching(`^block 4 added: ${id(3)}, .*, T ms for 3 blocks$`),
  ]);
  // A known block is not added again.
  await chain.addBlock(first);
  expect(lines).toHaveLength(4);
});

test('the blocks of a side chain are logged when they become the main chain', async () => {
  const { chain, lines } = await chainWithLines();
  await chain.addSpan(branch.map(bundleOf));
  lines.length = 0;
  const trunk = branch.slice(0, 2);
  const other = makeBranch(EASY, top(trunk), 3, { nonce: 2 });
  await chain.addSpan(other.slice(0, 2).map(bundleOf));
  expect(lines).toEqual([]);
  await chain.addBlock(bundleOf(top(other)));
  expect(lines.map((line) => line.split(' added')[0])).toEqual(['block 3', 'block 4', 'block 5']);
});
