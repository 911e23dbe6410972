import { createMemoryStore } from './memory-store.ts';
import { describeChainStore } from './testing/compliance.ts';

describeChainStore('memory', async () => {
  const store = createMemoryStore();
  return { store, rawDump: () => '', dispose: () => store.close() };
});
