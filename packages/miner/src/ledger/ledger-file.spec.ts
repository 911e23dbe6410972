import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
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
const open = (all: LedgerLine[] = []): LedgerFile => new LedgerFile(directory, logger, () => all);

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

  test('with half a line is set aside, and its whole lines are written anew', () => {
    open().append(block(1));
    writeFileSync(path, `${readFileSync(path, 'utf8')}1 00112233 {"block":{"hei`);
    const file = open([block(1)]);
    expect(file.read()).toEqual([block(1)]);
    expect(existsSync(path)).toBe(false);
    file.catchUp();
    expect(readFileSync(`${path}.damaged`, 'utf8')).toContain('"hei');
    expect(lines.join('\n')).toContain('1 of its lines cannot be read');
    expect([open().read(), lines.length]).toEqual([[block(1)], 1]);
  });

  test.each([
    ['bytes that are no text', () => writeFileSync(path, Buffer.alloc(5000, 0xff))],
    ['a folder in its place', () => mkdirSync(path)],
    ['a newer format', () => writeFileSync(path, `2${writeLine(block(1)).slice(1)}`)],
    ['too many bytes', () => writeFileSync(path, Buffer.alloc(17 * 1024 * 1024, 10))],
  ])('with %s is set aside', (_what, write) => {
    write();
    const file = open();
    expect(file.read()).toEqual([]);
    file.append(block(2));
    expect(existsSync(`${path}.damaged`)).toBe(true);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('is damaged');
  });

  test('that cannot be written is written later, and the log says so once', () => {
    const all: LedgerLine[] = [block(1)];
    const file = open(all);
    rmSync(directory, { recursive: true });
    file.append(block(1));
    file.append(block(2));
    all.push(block(2));
    file.catchUp();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('cannot be written');
    mkdirSync(directory);
    file.catchUp();
    expect(lines[1]).toBe('the mining ledger is written again');
    expect(open().read()).toEqual(all);
  });

  test('without a folder is none', () => {
    const file = new LedgerFile(undefined, logger, () => []);
    file.append(block(1));
    file.write();
    file.discard();
    expect([file.read(), file.lines]).toEqual([[], 0]);
  });
});
