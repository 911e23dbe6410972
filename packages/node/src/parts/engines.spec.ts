import { silentLogger } from '@monero-node/base';
import { createEngines } from './engines.ts';

test('trouble of an engine is told in the words of the log', async () => {
  const [logged, told]: string[][] = [[], []];
  const engines = createEngines(
    { verificationThreads: 1, powThreads: 1 },
    {
      logger: { ...silentLogger, error: (line) => void logged?.push(line) },
      onEngineTrouble: (line) => void told?.push(line),
      engineChanges: {
        wrapEngine: (engine) => ({
          name: engine.name,
          hash: () => Promise.reject(new Error('out of order')),
          close: () => engine.close(),
        }),
      },
    },
  );
  try {
    // Another engine is asked.
    const hash = await engines.pow.hash({
      kind: 'cryptonight',
      variant: 0,
      height: 1,
      blob: new Uint8Array(76),
    });
    expect(hash).toHaveLength(32);
    expect(told).toEqual([expect.stringContaining('computed no hash (out of order)')]);
    expect(logged).toEqual(told);
  } finally {
    await engines.close();
  }
});

test.each([
  [0, false],
  [2, true],
])('with %i threads to read ahead, that they do is %s', async (readAheadThreads, isDone) => {
  const options = { verificationThreads: 1, powThreads: 1, readAheadThreads };
  const engines = createEngines(options, { logger: silentLogger });
  try {
    expect(engines.outliner !== undefined).toBe(isDone);
    const outlined = await engines.outliner?.outlinePackages([new Uint8Array(8)]);
    expect(outlined?.length).toBe(isDone ? 1 : undefined);
  } finally {
    await engines.close();
  }
});

test.each([-1, 1.5, NaN])('%p threads to read ahead are refused', (readAheadThreads) => {
  const make = () => createEngines({ readAheadThreads }, { logger: silentLogger });
  expect(make).toThrow('a whole number, 0 or more');
});
