// Works on chain stores at the request of its parent, in a process whose calls on files may fail (fail-calls.c).
// A request is { phase, path, blocks: [{ block, txs }], prune: [heights] }; the answer is { done: true }, or
// { code, systemCode, message } of a StorageError. Anything else that is thrown ends the process.
import { silentLogger } from '@monero-node/base';
import { openBlockchain, parseBundle } from '@monero-node/blockchain';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import { createInlineVerificationPool, createReferenceBackend } from '@monero-node/crypto';
import { openLmdbStore, StorageError } from '@monero-node/storage';

const STORED = new Set(['added', 'alternative', 'reorganized']);
/** Blocks that are verified and stored together. */
const SPAN = 7;

const backend = createReferenceBackend();
const dependencies = {
  backend,
  verifier: createInlineVerificationPool(backend),
  logger: silentLogger,
  // At difficulty 1 every hash is sufficient.
  pow: { name: 'none', hash: async () => new Uint8Array(32), close: async () => undefined },
};
const network = withOverrides(NETWORKS.regtest, { fixedDifficulty: 1n });

/** Adds blocks that continue the chain, without checking signatures: the blocks are those of monerod. */
async function addInSpans(chain, blocks) {
  for (let from = 0; from < blocks.length; from += SPAN) {
    const span = blocks.slice(from, from + SPAN).map(parseBundle);
    const { results } = await chain.addSpan(span, { trust: true });
    expectAdded(results);
  }
}

function expectAdded(results) {
  const wrong = results.find(({ status }) => !STORED.has(status));
  if (wrong !== undefined) throw new Error(`a block was not added: ${JSON.stringify(wrong)}`);
}

async function work({ phase, path, blocks, prune }) {
  const store = await openLmdbStore({ path, waitingHashes: 50 });
  try {
    if (phase === 'pruning') {
      for (let i = 0; i < prune.length; i += SPAN)
        await store.commit({ prune: prune.slice(i, i + SPAN) });
      return;
    }
    const chain = await openBlockchain({ network }, { ...dependencies, store });
    try {
      if (phase !== 'reorganization') await addInSpans(chain, blocks);
      // One by one: they are alternative blocks until their branch is the heavier one.
      else for (const block of blocks) expectAdded([await chain.addBlock(parseBundle(block))]);
    } finally {
      await chain.stop();
    }
  } finally {
    await store.close();
  }
}

// The lmdb package rejects one promise of a failed commit that no caller can reach.
process.on('unhandledRejection', (error) => {
  if (!(error instanceof Error && 'commitError' in error)) throw error;
});

process.on('message', async (request) => {
  try {
    await work(request);
    process.send({ done: true });
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const { code, systemCode, message } = error;
    process.send({ code, systemCode, message });
  }
});
