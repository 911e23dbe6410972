import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, type Logger } from '@monero-node/base';
import type { LedgerBlock } from './ledger-block.ts';
import { LedgerFile } from './ledger-file.ts';
import { readLine, writeLine, type LedgerLine } from './ledger-line.ts';

const block = (height: number, changes: Partial<LedgerBlock> = {}): LedgerLine => ({
  block: {
    height,
    id: height.toString(16).padStart(64, '0'),
    finder: { kind: 'rig', rig: 'attic "1" \\' },
    reward: 600_000_000_001n,
    difficulty: 2n ** 70n,
    hashes: 1.5e11,
    foundAt: 1_700_000_000,
    ...changes,
  },
});

let directory: string;
let path: string;
let lines: string[];
let logger: Logger;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  path = join(directory, 'mining-ledger');
  lines = [];
  const note = (line: string): void => void lines.push(line);
  logger = { ...silentLogger, info: note, error: note };
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Opens the file; `all` are the lines that a new one begins with. */
const open = (all: LedgerLine[] = []): LedgerFile =>
  new LedgerFile(directory, logger, () => [...all]);

describe('a line', () => {
  test('is read as it was written', () => {
    const all = [block(7), { hashes: 12.5 }, block(8, { hashes: undefined })];
    for (const line of all) expect(readLine(writeLine(line).trimEnd())).toEqual(line);
  });

  // The sum is that of Python's zlib.crc32.
  test('keeps its form', () => {
    expect(writeLine({ hashes: 3 })).toBe('1 fc00fba5 {"hashes":3}\n');
  });

  test('with any byte changed is not read', () => {
    const text = writeLine(block(7)).trimEnd();
    for (let at = 0; at < text.length; at++) {
      const other = text[at] === '0' ? '1' : '0';
      expect(readLine(text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined();
      expect(readLine(text.slice(0, at))).toBeUndefined();
    }
  });

  test.each([
    [{ height: -1 }],
    [{ height: 1.5 }],
    [{ id: 'AB'.repeat(32) }],
    [{ hashes: -1 }],
    [{ finder: { kind: 'luck' as never, rig: '' } }],
    [{ finder: { kind: 'rig' as const, rig: 'r'.repeat(1000) } }],
  ])('with a sum but nonsense is not read: %j', (changes) => {
    expect(readLine(writeLine(block(7, changes)).trimEnd())).toBeUndefined();
  });
});

describe('the file', () => {
  test('keeps its lines, for the owner only', () => {
    open().append(block(1));
    open().append({ hashes: 5 });
    const file = open();
    expect(file.read()).toEqual([block(1), { hashes: 5 }]);
    expect(file.lines).toBe(2);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(lines).toEqual([]);
  });

  test('that is not there is empty, and so is one that was discarded', () => {
    expect(open().read()).toEqual([]);
    open().append(block(1));
    open().discard();
    expect([open().read(), lines]).toEqual([[], []]);
  });

  test('with half a line is set aside, and its whole lines are written anew', async () => {
    open().append(block(1));
    writeFileSync(path, `${readFileSync(path, 'utf8')}1 00112233 {"block":{"hei`);
    const file = open([block(1)]);
    expect(file.read()).toEqual([block(1)]);
    expect(existsSync(path)).toBe(false);
    await file.catchUp();
    expect(readFileSync(`${path}.damaged`, 'utf8')).toContain('"hei');
    expect(lines.join('\n')).toContain('1 of its lines cannot be read');
    expect([open().read(), lines.length]).toEqual([[block(1)], 1]);
  });

  test.each([
    ['bytes that are no text', () => writeFileSync(path, Buffer.alloc(5000, 0xff))],
    ['a folder in its place', () => mkdirSync(path)],
    ['a newer format', () => writeFileSync(path, `2${writeLine(block(1)).slice(1)}`)],
    ['too many bytes', () => writeFileSync(path, Buffer.alloc(17 * 1024 * 1024, 10))],
  ])('with %s is set aside', async (_what, write) => {
    write();
    const file = open();
    expect(file.read()).toEqual([]);
    file.append(block(2));
    await file.catchUp();
    expect(existsSync(`${path}.damaged`)).toBe(true);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('is damaged');
  });

  test('that cannot be written is written later, and the log says so once', async () => {
    const all: LedgerLine[] = [block(1)];
    const file = open(all);
    rmSync(directory, { recursive: true });
    file.append(block(1));
    file.append(block(2));
    all.push(block(2));
    await file.catchUp();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('cannot be written');
    mkdirSync(directory);
    await file.catchUp();
    expect(lines[1]).toBe('the mining ledger is written again');
    expect(open().read()).toEqual(all);
  });

  test('without a folder is none', async () => {
    const file = new LedgerFile(undefined, logger, () => []);
    file.append(block(1));
    await file.rewrite();
    file.discard();
    expect([file.read(), file.lines]).toEqual([[], 0]);
  });
});

describe('a new file', () => {
  const MANY = Array.from({ length: 2000 }, (_, height) => block(height));
  let all: LedgerLine[];
  let file: LedgerFile;
  beforeEach(() => {
    all = [];
    file = open(all);
    for (const line of MANY) add(line);
    // Those that are too old go.
    all.splice(0, 1000);
  });

  const add = (line: LedgerLine): void => {
    all.push(line);
    file.append(line);
  };

  test('has the lines that came while it was written', async () => {
    const writing = file.rewrite();
    add(block(2000));
    // Between the parts that are written.
    let round: NodeJS.Immediate;
    const addInRounds = (): void => {
      add({ hashes: all.length });
      round = setImmediate(addInRounds);
    };
    round = setImmediate(addInRounds);
    await writing;
    clearImmediate(round);
    expect(all.length).toBeGreaterThan(1001);
    expect(open().read()).toEqual(all);
    expect(file.lines).toBe(all.length);
    add(block(3000));
    expect(open().read()).toEqual(all);
    expect(lines).toEqual([]);
  });

  test('that is asked for twice is written once', async () => {
    const writing = file.rewrite();
    expect(file.rewrite()).toBe(writing);
    await writing;
    expect(open().read()).toEqual(all);
  });

  test('loses nothing when the process ends before it takes the place of the old one', async () => {
    const writing = file.rewrite();
    add(block(2000));
    // What another process would read now.
    expect(open().read()).toEqual([...MANY, block(2000)]);
    await writing;
    // Half of another one was left.
    writeFileSync(`${path}.new`, readFileSync(path).subarray(0, 1000));
    expect(open().read()).toEqual(all);
    await file.rewrite();
    expect([open().read(), existsSync(`${path}.new`)]).toEqual([all, false]);
    expect(lines).toEqual([]);
  });

  const full = existsSync('/dev/full');
  test.each([
    ['is not allowed', () => mkdirSync(`${path}.new`)],
    ...(full
      ? [['finds the disk full', () => symlinkSync('/dev/full', `${path}.new`)] as const]
      : []),
  ] as const)('that %s leaves the old one, which gets new lines still', async (_what, hinder) => {
    hinder();
    const writing = file.rewrite();
    add(block(2000));
    await writing;
    add(block(2001));
    expect(open().read()).toEqual([...MANY, block(2000), block(2001)]);
    await file.catchUp();
    expect(lines).toEqual([expect.stringContaining('cannot be written, which is tried again')]);
    rmSync(`${path}.new`, { recursive: true });
    await file.catchUp();
    expect(lines[1]).toBe('the mining ledger is written again');
    expect(open().read()).toEqual(all);
  });

  test('takes a line that the old one could not take', async () => {
    const writing = file.rewrite();
    rmSync(path);
    mkdirSync(path);
    add(block(2000));
    rmSync(path, { recursive: true });
    add(block(2001));
    await writing;
    expect(open().read()).toEqual(all);
    expect(lines).toEqual([
      expect.stringContaining('cannot be written'),
      'the mining ledger is written again',
    ]);
  });
});
