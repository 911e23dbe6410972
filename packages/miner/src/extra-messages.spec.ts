import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settle } from '@monero-node/base/testing';
import { parseBlock } from '@monero-node/codec';
import { loadExtraMessages } from './extra-messages.ts';
import { setUp, start } from './testing/test-miner.ts';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'extra-messages-'));
  file = join(dir, 'messages');
});
afterEach(() => rmSync(dir, { recursive: true }));

const base64 = (text: string) => Buffer.from(text).toString('base64');
const load = (content: string) => {
  writeFileSync(file, content);
  return loadExtraMessages(file);
};
const loadThree = () => load(['one', 'two', 'three'].map(base64).join('\n'));
const savedIndex = () => JSON.parse(readFileSync(join(dir, 'miner_conf.json'), 'utf8')) as unknown;
const messageOf = (blob: Uint8Array | undefined) =>
  Buffer.from(parseBlock(blob ?? new Uint8Array(0)).block.minerTx.extra).toString();

/** Returns all messages of a file in order. */
function all(content: string): string[] {
  const messages = load(content);
  const texts: string[] = [];
  for (; messages.index < messages.count; messages.next()) {
    texts.push(Buffer.from(messages.current).toString());
  }
  expect(messages.current).toHaveLength(0);
  return texts;
}

describe('a file of messages', () => {
  test.each<[string, string, string[]]>([
    ['lines', 'b25l\ndHdv', ['one', 'two']],
    ['carriage returns and blanks', ' b25l \r\n\tdHdv\r\n', ['one', 'two', '']],
    ['several line ends', 'b25l\n\n\ndHdv', ['one', 'two']],
    ['lines that ask for no message', 'b25l\n  \nMA==\ndHdv', ['one', '', '', 'two']],
    ['no padding', 'YQ\nYWI', ['a', 'ab']],
    ['an empty file', '', ['']],
  ])('reads %s', (_what, content, texts) => {
    expect(all(content)).toEqual(texts);
  });

  test.each<[string, string, string]>([
    ['invalid base64', 'b25l\n\nhello, world', 'line 3 is not base64'],
    ['half a byte', 'b25l\nYWJjZ', 'line 2 is not base64'],
    ['padding in the middle', 'YQ==YQ==', 'line 1 is not base64'],
    ['a message too long', base64('x'.repeat(256)), 'line 1 holds 256 bytes, more than 255'],
  ])('rejects %s', (_what, content, message) => {
    expect(() => load(content)).toThrow(message);
  });

  test('accepts a message of 255 bytes', () => {
    expect(all(base64('x'.repeat(255)))).toEqual(['x'.repeat(255)]);
  });

  test('throws when the file does not exist', () => {
    expect(() => loadExtraMessages(file)).toThrow('ENOENT');
  });
});

describe('the index file', () => {
  const withConfig = (content: string) => {
    writeFileSync(join(dir, 'miner_conf.json'), content);
    return loadThree().index;
  };

  test('is read as monerod writes it; 0 without a file', () => {
    expect(loadThree().index).toBe(0);
    expect(withConfig('{\n  "current_extra_message_index": 2\n}')).toBe(2);
    expect(withConfig('{}')).toBe(0);
  });

  test.each([
    '',
    '5',
    'null',
    '{"current_extra_message_index": -1}',
    '{"current_extra_message_index": "1"}',
  ])('rejects %j', (content) => {
    expect(() => withConfig(content)).toThrow('miner_conf.json needs a whole number');
  });

  test('throws when it cannot be read', () => {
    mkdirSync(join(dir, 'miner_conf.json'));
    expect(loadThree).toThrow('EISDIR');
  });

  test('is saved again after a failure', async () => {
    const messages = loadThree();
    messages.next();
    rmSync(dir, { recursive: true });
    await expect(messages.save()).rejects.toThrow('ENOENT');
    mkdirSync(dir);
    await messages.save();
    expect(savedIndex()).toEqual({ current_extra_message_index: 1 });
  });

  test('holds the last value after quick successive saves', async () => {
    const messages = loadThree();
    const saves: Promise<void>[] = [];
    for (let found = 0; found < 20; found++) {
      messages.next();
      saves.push(messages.save());
    }
    await Promise.all(saves);
    expect(savedIndex()).toEqual({ current_extra_message_index: 20 });
  });
});

describe('mining with messages', () => {
  type SetUp = ReturnType<typeof setUp>;

  /** A miner with one thread and the current messages of the file. */
  async function begin(): Promise<SetUp> {
    const mining = setUp({ extraMessages: loadThree() });
    await mining.miner.start({ ...start, threads: 1 });
    await mining.searcher.searching();
    return mining;
  }

  /** Finds `count` blocks; the thread continues once the index is saved. */
  async function find(mining: SetUp, count = 1): Promise<void> {
    for (let found = 0; found < count; found++) {
      mining.searcher.open.pop()?.found(found);
      await mining.searcher.searching();
    }
  }

  /** The messages in the blocks that were found. */
  async function end({ miner, submitted }: SetUp): Promise<string[]> {
    await miner.stop();
    return submitted.map(messageOf);
  }

  test('uses the next message for each block found, also after a restart, and then none', async () => {
    const first = await begin();
    await find(first, 2);
    expect(await end(first)).toEqual(['one', 'two']);
    expect(savedIndex()).toEqual({ current_extra_message_index: 2 });
    const second = await begin();
    await find(second, 3);
    expect(await end(second)).toEqual(['three', '', '']);
    expect(savedIndex()).toEqual({ current_extra_message_index: 5 });
  });

  test("keeps the message for the next template after another miner's block", async () => {
    const mining = await begin();
    mining.state.height = 9;
    mining.blockchain.emit('blocks-added', []);
    await settle();
    await find(mining);
    expect(await end(mining)).toEqual(['one']);
  });

  test('keeps the message after a block that is rejected', async () => {
    const mining = await begin();
    mining.state.isTaken = false;
    await find(mining);
    mining.state.isTaken = true;
    await find(mining);
    expect(await end(mining)).toEqual(['one', 'one']);
    expect(savedIndex()).toEqual({ current_extra_message_index: 1 });
  });

  test('continues mining when the index cannot be saved', async () => {
    const mining = await begin();
    rmSync(dir, { recursive: true });
    await find(mining, 2);
    expect(await end(mining)).toEqual(['one', 'two']);
    mkdirSync(dir);
  });
});
