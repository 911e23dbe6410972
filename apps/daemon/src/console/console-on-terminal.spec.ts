import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Terminal } from '../terminal/terminal.ts';
import { FakeDaemon } from '../testing/fake-daemon.ts';
import { FakeScreen } from '../testing/fake-screen.ts';
import { Console } from './console.ts';

const KEYS = {
  enter: '\r',
  tab: '\t',
  up: '\x1b[A',
  left: '\x1b[D',
  ctrlC: '\x03',
  ctrlD: '\x04',
} as const;

describe('the console on a terminal', () => {
  let dir: string;
  let historyPath: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'console-'));
    historyPath = join(dir, 'console-history');
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const open = (columns = 80) => {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const screen = new FakeScreen(columns);
    const terminal = new Terminal(screen);
    const happened: string[] = [];
    const console = new Console({
      daemon: new FakeDaemon({ '/get_height': { height: 3 }, '/set_bootstrap_daemon': {} }),
      input,
      terminal,
      historyPath,
      onEnd: () => happened.push('end'),
      onInterrupt: () => happened.push('interrupt'),
    });
    console.start();
    const paste = async (text: string): Promise<void> => {
      input.write(text);
      for (let i = 0; i < 20; i++) await new Promise(setImmediate);
    };
    const type = async (text: string): Promise<void> => {
      // eslint-disable-next-line no-control-regex
      for (const [key] of text.matchAll(/\x1b\[[A-Z]|[^]/g)) input.write(key);
      await paste('');
    };
    return { console, screen, terminal, happened, paste, type };
  };

  test('a log line is printed above the line being typed, which stays with its cursor', async () => {
    const { screen, terminal, type } = open();
    await type(`print_seat${KEYS.left.repeat(3)}`);
    terminal.write('a line of the log\n');
    terminal.write('another line\n');
    expect(screen.lines).toEqual(['a line of the log', 'another line', 'monero> print_seat']);
    expect(screen.beforeCursor).toBe('monero> print_s');
    await type(`w${KEYS.left}`);
    expect(screen.lines.at(-1)).toBe('monero> print_sweat');
  });

  test('a typed line longer than the screen is wide is drawn again as a whole', async () => {
    const { screen, terminal, type } = open(20);
    await type('print_tx 0123456789abcdefghij');
    terminal.write('a line of the log\n');
    const typed = ['monero> print_tx 012', '3456789abcdefghij'];
    expect(screen.lines).toEqual(['a line of the log', ...typed]);
    // The cursor in the first row of two.
    await type(KEYS.left.repeat(20));
    terminal.write('another line\n');
    expect(screen.lines).toEqual(['a line of the log', 'another line', ...typed]);
    expect(screen.beforeCursor).toBe('monero> print_tx ');
  });

  test('so is a long line that was pasted', async () => {
    const { screen, terminal, paste } = open(20);
    await paste('print_tx 0123456789abcdefghij0123456789');
    terminal.write('a line of the log\n');
    const pasted = ['monero> print_tx 012', '3456789abcdefghij012', '3456789'];
    expect(screen.lines).toEqual(['a line of the log', ...pasted]);
  });

  test('an answer is printed below its command and above the next line', async () => {
    const { screen, type } = open();
    await type(`print_height${KEYS.enter}`);
    expect(screen.lines).toEqual(['monero> print_height', '3', 'monero>']);
  });

  test('Tab completes a command and its parameters', async () => {
    const { screen, type } = open();
    await type(`unb${KEYS.tab}al${KEYS.tab}`);
    expect(screen.lines.at(-1)).toBe('monero> unban all');
  });

  test('Ctrl-C clears a typed line and interrupts on an empty one; Ctrl-D ends', async () => {
    const { screen, happened, type } = open();
    await type(`print_height${KEYS.left}${KEYS.ctrlC}`);
    expect(screen.lines.at(-1)).toBe('monero>');
    expect(happened).toEqual([]);
    await type(KEYS.ctrlC);
    expect(happened).toEqual(['interrupt']);
    await type(KEYS.ctrlD);
    expect(happened).toEqual(['interrupt', 'end']);
    expect(screen.lines.at(-1)).not.toContain('monero>');
  });

  test('the history survives a restart, readable by its owner only', async () => {
    const first = open();
    await first.type(`print_height${KEYS.enter}help pool${KEYS.enter}`);
    await first.console.stop();
    expect(readFileSync(historyPath, 'utf8')).toBe('print_height\nhelp pool\n');
    expect(statSync(historyPath).mode & 0o777).toBe(0o600);
    const second = open();
    await second.type(KEYS.up.repeat(2));
    expect(second.screen.lines.at(-1)).toBe('monero> print_height');
    await second.console.stop();
    expect(second.screen.lines).toEqual(['']);
  });

  test('neither a password nor anything but commands is kept', async () => {
    const { console, screen, type } = open();
    await type(`set_bootstrap_daemon h:1 user secret${KEYS.enter}`);
    await type(`secret${KEYS.enter}set_bootstrap_daemon auto${KEYS.enter}`);
    await type(KEYS.up.repeat(2));
    expect(screen.lines.at(-1)).toBe('monero> secret');
    await console.stop();
    expect(readFileSync(historyPath, 'utf8')).toBe('set_bootstrap_daemon auto\n');
  });

  test('at most 1000 lines are kept, and the newest', async () => {
    writeFileSync(historyPath, Array.from({ length: 1200 }, (_, i) => `ban ${i}\n`).join(''));
    const { console, type } = open();
    await type(`print_height${KEYS.enter}`);
    await console.stop();
    const lines = readFileSync(historyPath, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(1000);
    expect([lines[0], lines.at(-1)]).toEqual(['ban 201', 'print_height']);
  });

  test('lines that could move the cursor are not taken from the file', async () => {
    writeFileSync(historyPath, 'print_height\nban \x1b[2J\n');
    const { screen, type } = open();
    await type(KEYS.up);
    expect(screen.lines.at(-1)).toBe('monero> print_height');
  });

  test('a history that cannot be kept is reported once, and the console works', async () => {
    historyPath = join(dir, 'missing', 'history');
    const { console, screen, type } = open();
    await type(`print_height${KEYS.enter}print_height${KEYS.enter}help pool${KEYS.enter}`);
    await console.stop();
    const text = screen.lines.join('');
    expect(text.match(/The history of the console is not kept in/g)).toHaveLength(1);
    expect(text).toContain('ENOENT');
    expect(text).toContain('Transaction pool:');
  });
});
