import { Lifecycle, type Part } from './lifecycle.ts';

function parts(journal: string[], failing?: string): Part[] {
  return ['a', 'b', 'c'].map((name) => ({
    name,
    start: async () => {
      journal.push(`start ${name}`);
      if (name === failing) throw new Error(`${name} fails`);
    },
    stop: async () => {
      journal.push(`stop ${name}`);
      if (name === 'b') throw new Error('b does not stop');
    },
  }));
}

test('starts in order, stops in reverse order, and stops every part even if one fails', async () => {
  const journal: string[] = [];
  const lifecycle = new Lifecycle(parts(journal), (part) => journal.push(`error ${part}`));
  await lifecycle.start();
  await lifecycle.stop();
  await lifecycle.stop();
  expect(journal).toEqual([
    'start a',
    'start b',
    'start c',
    'stop c',
    'stop b',
    'error b',
    'stop a',
  ]);
});

test('stops the started parts when a part fails to start', async () => {
  const journal: string[] = [];
  const lifecycle = new Lifecycle(parts(journal, 'c'), () => undefined);
  await expect(lifecycle.start()).rejects.toThrow('c fails');
  expect(journal).toEqual(['start a', 'start b', 'start c', 'stop b', 'stop a']);
});

test('parts that run already are stopped last, also when nothing was started', async () => {
  const journal: string[] = [];
  const [a, b, c] = parts(journal) as [Part, Part, Part];
  const lifecycle = new Lifecycle([c], () => undefined, [a, b]);
  await lifecycle.start();
  await lifecycle.stop();
  expect(journal).toEqual(['start c', 'stop c', 'stop b', 'stop a']);
  journal.length = 0;
  await new Lifecycle([c], () => undefined, [a, b]).stop();
  expect(journal).toEqual(['stop b', 'stop a']);
});

test('running parts that are added are stopped after all others, also when one fails to start', async () => {
  const journal: string[] = [];
  const [a, b, c] = parts(journal, 'a') as [Part, Part, Part];
  const lifecycle = new Lifecycle([], () => undefined, [b]);
  lifecycle.addRunning([c]);
  lifecycle.add([a]);
  await expect(lifecycle.start()).rejects.toThrow('a fails');
  expect(journal).toEqual(['start a', 'stop b', 'stop c']);
});
