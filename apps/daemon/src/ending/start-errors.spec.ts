import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';
import { run } from '../run.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

describe('a start that fails ends with one line, which names the option or file and the cause', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'start-errors-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  /** Starts the program as built; returns its status and the lines that are not of its banner. */
  const start = (...args: string[]): { status: number | null; lines: string[] } => {
    const options = ['--regtest', '--offline', '--non-interactive', '--no-zmq'];
    // Without TLS no certificate is made, which takes seconds.
    const tls = args.includes('--rpc-ssl') ? [] : ['--rpc-ssl', 'disabled'];
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [PROGRAM, ...options, '--rpc-bind-port', '0', ...tls, ...args],
      { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' }, timeout: 60_000 },
    );
    const lines = (stdout + stderr).split('\n').filter((line) => line !== '');
    return { status, lines: lines.filter((line) => !/\tI\tglobal\t/.test(line)) };
  };

  /** Starts in this process. Returns the status and the lines of standard error. */
  const startHere = async (...args: string[]): Promise<{ status: number; lines: string[] }> => {
    const text: string[] = [];
    const write = jest.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
      text.push(String(chunk));
      return true;
    });
    try {
      const status = await run(
        ['--regtest', '--offline', '--rpc-ssl', 'disabled', ...args],
        PROGRAM,
      );
      return { status, lines: text.join('').trimEnd().split('\n') };
    } finally {
      write.mockRestore();
    }
  };

  /** Nothing is open when these fail. */
  const early: [what: string, make: (path: string) => string[], line: RegExp][] = [
    [
      'a config file that is a folder',
      (path) => ['--data-dir', path, '--config-file', path],
      /^Failed to parse arguments: Can't read config file \/.*: EISDIR/,
    ],
    [
      'a wrong choice in the config file',
      (path) => {
        writeFileSync(join(path, 'x.conf'), 'crypto-backend=fast\n');
        return ['--data-dir', path, '--config-file', join(path, 'x.conf')];
      },
      /^Failed to parse arguments: Invalid crypto-backend 'fast': auto, .* \(config file \/.*x\.conf\)$/,
    ],
    [
      'a wrong choice on the command line',
      (path) => ['--data-dir', path, '--log-format', 'xml'],
      /^Failed to parse arguments: Invalid log-format 'xml': text or json expected$/,
    ],
    [
      'a wrong log level',
      (path) => ['--data-dir', path, '--log-level', '9'],
      /^Failed to parse arguments: --log-level: log level 9 is not between 0 and 4$/,
    ],
    [
      'an unknown topic of the help',
      () => ['--help', 'nonsense'],
      /^Failed to parse arguments: --help: no topic or option 'nonsense'; the topics are/,
    ],
    [
      '--json without a command',
      (path) => ['--data-dir', path, '--json'],
      /^Failed to parse arguments: --json needs a command, for example status$/,
    ],
    [
      'a data directory that is a file',
      (path) => {
        writeFileSync(join(path, 'file'), '');
        return ['--data-dir', join(path, 'file')];
      },
      /^Failed to start: cannot make the data directory \/.*file\/fake \(--data-dir\): ENOTDIR/,
    ],
    [
      'a log file that is a folder',
      (path) => {
        mkdirSync(join(path, 'logs'));
        return ['--data-dir', path, '--log-file', join(path, 'logs')];
      },
      /^Failed to start: cannot open the log file \/.*logs \(--log-file\): EISDIR/,
    ],
  ];
  test.each(early)('%s', async (_, make, line) => {
    const { status, lines } = await startHere(...make(dir));
    expect(lines).toEqual([expect.stringMatching(line)]);
    expect(status).toBeGreaterThan(0);
  });

  test.each<[what: string, make: (path: string) => string[], line: RegExp]>([
    early[0] as (typeof early)[number],
    [
      'a chain folder that is a file',
      (path) => {
        mkdirSync(join(path, 'fake'));
        writeFileSync(join(path, 'fake', 'chain'), '');
        return ['--data-dir', path];
      },
      /\tE\tglobal\tFailed to start: .*fake\/chain/,
    ],
    [
      'a TLS certificate that is missing',
      (path) => [
        ...['--data-dir', path, '--rpc-ssl', 'enabled'],
        ...['--rpc-ssl-private-key', join(path, 'key'), '--rpc-ssl-certificate', join(path, 'crt')],
      ],
      /Failed to/,
    ],
  ])('%s', (_, make, line) => {
    const { status, lines } = start(...make(dir));
    expect(lines).toEqual([expect.stringMatching(line)]);
    expect(status).toBeGreaterThan(0);
  });
});
