import { FollowedChain, mineBlock, openBlockchain, verifyStored, verifyTree } from './index.ts';

const wrong = { misspelled: 1 } as never;

test.each<[string, () => Promise<unknown>]>([
  ['openBlockchain', () => openBlockchain(wrong, {} as never)],
  ['mineBlock', () => mineBlock({} as never, wrong)],
  ['verifyStored', () => verifyStored(wrong).next()],
  ['verifyTree', () => verifyTree(wrong).next()],
])('%s refuses an option that it does not know', async (name, call) => {
  await expect(call()).rejects.toThrow(`${name}: no option "misspelled"; there are `);
});

test('a chain that is followed refuses an option that it does not know', () => {
  expect(() => new FollowedChain(wrong)).toThrow('FollowedChain: no option "misspelled"');
});
