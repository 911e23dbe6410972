import { Yielder } from '@monero-node/base';
import { decodeStorage, encodeStorage, type StorageSection } from '@monero-node/codec';
import { rewriteJson, rewriteStorage, type Rewritten } from './rewrite.ts';

/** Counts the turns that the event loop would get; each step of work uses up its slice. */
function countingYielder(): { yielder: Yielder; turns: () => number } {
  let turns = 0;
  const nextSlice = (): Promise<void> => {
    turns++;
    return Promise.resolve();
  };
  return { yielder: new Yielder({ sliceMs: 0 }, { nextSlice }), turns: () => turns };
}

const NONE = { nested: false, changes: new Map() };
const text = (chunks: Rewritten | undefined): string | undefined =>
  chunks?.map((chunk) => Buffer.from(chunk as string, 'latin1').toString('latin1')).join('');

describe('a JSON answer', () => {
  test('is marked, and the event loop gets its turns between few values', async () => {
    const numbers = Array.from({ length: 100_000 }, (_, i) => i);
    const body = Buffer.from(JSON.stringify({ status: 'OK', untrusted: false, numbers }));
    const { yielder, turns } = countingYielder();
    const answer = text(await rewriteJson(body, NONE, yielder));
    expect(JSON.parse(answer ?? '')).toEqual({ status: 'OK', untrusted: true, numbers });
    // Read and written, at most 512 values a step.
    expect(turns()).toBeGreaterThanOrEqual(Math.floor((2 * numbers.length) / 512));
  });

  test.each([
    ['no success', '{"status":"BUSY"}'],
    ['no JSON', 'status'],
    // Each line of it is indented by up to 200 characters.
    ['far longer once it is indented', deep()],
    ['too long', `{"status":"OK","x":"${'x'.repeat(16 << 20)}"}`],
  ])('that is %s is not passed on', async (_, body) => {
    expect(await rewriteJson(Buffer.from(body), NONE, new Yielder())).toBeUndefined();
  });
});

function deep(): string {
  const members = Array.from({ length: 500_000 }, (_, i) => `"${i}":0`).join();
  return `{"status":"OK","a":${'{"a":'.repeat(90)}{${members}}${'}'.repeat(91)}`;
}

describe('a binary answer', () => {
  const answer = (more: StorageSection): Uint8Array => {
    const section: StorageSection = new Map(more);
    section.set('status', { type: 'string', value: Buffer.from('OK') });
    return encodeStorage(section);
  };
  const bytes = (chunks: Rewritten | undefined): Uint8Array =>
    Buffer.concat((chunks ?? []) as Uint8Array[]);

  test('is marked, and its values are not touched', async () => {
    const items = Array.from({ length: 50_000 }, (_, i) => Buffer.from(`${i}`));
    const untouched: StorageSection = new Map([
      ['blocks', { type: 'array', of: 'string', items }],
      ['height', { type: 'uint64', value: 1n << 63n }],
    ]);
    const { yielder, turns } = countingYielder();
    for (const untrusted of [undefined, false, true]) {
      const given = new Map(untouched);
      if (untrusted !== undefined) given.set('untrusted', { type: 'bool', value: untrusted });
      const marked = decodeStorage(bytes(await rewriteStorage(answer(given), yielder)));
      expect(marked.get('untrusted')).toEqual({ type: 'bool', value: true });
      expect(marked.size).toBe(4);
      expect(marked.get('height')).toEqual(untouched.get('height'));
      expect((marked.get('blocks') as { items: unknown[] }).items).toHaveLength(items.length);
    }
    expect(turns()).toBeGreaterThanOrEqual((3 * items.length) / 1024 - 3);
  });

  test.each<[string, Uint8Array]>([
    [
      'no success',
      encodeStorage(new Map([['status', { type: 'string', value: new Uint8Array() }]])),
    ],
    ['no status', encodeStorage(new Map())],
    ['cut off', answer(new Map()).subarray(0, -1)],
    ['no portable storage', Buffer.from('{"status":"OK"}')],
    [
      'of very many fields',
      answer(
        new Map(Array.from({ length: 63 }, (_, i) => [`f${i}`, { type: 'bool', value: true }])),
      ),
    ],
  ])('that is %s is not passed on', async (_, body) => {
    expect(await rewriteStorage(body, new Yielder())).toBeUndefined();
  });
});
