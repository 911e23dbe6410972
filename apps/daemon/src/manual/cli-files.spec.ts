import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CONSOLE_COMMANDS } from '../console/help.ts';
import { makeDaemonSettings } from '../cli/daemon-settings.ts';
import { OPTIONS } from '../cli/options/options.ts';
import { parseArguments } from '../cli/parse-arguments.ts';
import { runProgram, NOTHING_SAID, testWith } from '../testing/programs.ts';
import { cliFiles } from './cli-files.ts';
import { completedOptions, valueKind } from './option-values.ts';

const pathOf = (path: string): string =>
  fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const BASH = pathOf('deploy/completions/monero-node.bash');
const ZSH = pathOf('deploy/completions/_monero-node');
const FISH = pathOf('deploy/completions/monero-node.fish');
const MAN = pathOf('deploy/man/monero-node.1');

test.each([...cliFiles()])(
  '%s is up to date (otherwise run node tools/generate-cli-files.mjs)',
  (path, content) => {
    expect(readFileSync(pathOf(path), 'utf8')).toBe(content);
  },
);

test('every option is in the man page, and every command', () => {
  const page = readFileSync(MAN, 'utf8').replaceAll('\\-', '-');
  for (const { name } of OPTIONS) expect(page).toContain(`\\fB--${name}\\fR`);
  for (const { name } of CONSOLE_COMMANDS) expect(page).toContain(`\\fB${name}\\fR`);
});

test('the daemon accepts every word that a shell offers for an option', () => {
  for (const { name, ...spec } of completedOptions()) {
    const words = valueKind({ name, ...spec });
    if (typeof words === 'string') continue;
    for (const word of words) {
      const { values } = parseArguments(['--data-dir', '/nowhere', `--${name}`, word]);
      expect(() => makeDaemonSettings(values)).not.toThrow();
    }
  }
});

describe('bash', () => {
  testWith('bash', 'accepts the file', () => {
    expect(runProgram('bash', ['-n', BASH])).toEqual(NOTHING_SAID);
  });

  /** Completes the last word; returns the words that bash offers. */
  function complete(...words: string[]): string[] {
    const script =
      'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _monero_node; printf "%s\\n" "${COMPREPLY[@]}"';
    return runProgram('bash', ['-c', script, 'bash', BASH, 'monero-node', ...words])
      .output.trim()
      .split('\n');
  }

  testWith('bash', 'completes options, words, files and commands', () => {
    expect(complete('--rpc-bi')).toEqual([
      '--rpc-bind-ip',
      '--rpc-bind-ipv6-address',
      '--rpc-bind-port',
    ]);
    expect(complete('--pow-engine', 'n')).toEqual(['native']);
    expect(complete('--pow-engine', '=', 'w')).toEqual(['wasm']);
    expect(complete('--rpc-ssl', '=')).toEqual(['enabled', 'disabled', 'autodetect']);
    expect(complete('--config-file', pathOf('packa')).sort()).toEqual([
      pathOf('package-lock.json'),
      pathOf('package.json'),
      pathOf('packages'),
    ]);
    expect(complete('--data-dir', pathOf('packa'))).toEqual([pathOf('packages')]);
    expect(complete('--rpc-login', 'st')).toEqual(['']);
    expect(complete('--regtest', 'statu')).toEqual(['status']);
  });
});

testWith('zsh', 'zsh accepts the file', () => {
  expect(runProgram('zsh', ['-n', ZSH])).toEqual(NOTHING_SAID);
});

testWith('fish', 'fish accepts the file and completes options and words', () => {
  expect(runProgram('fish', ['--no-execute', FISH])).toEqual(NOTHING_SAID);
  const complete = (line: string): string[] =>
    runProgram('fish', ['--no-config', '-c', `source ${FISH}; complete -C "monero-node ${line}"`])
      .output.trim()
      .split('\n')
      .map((offered) => offered.split('\t')[0] ?? '');
  expect(complete('--rpc-bi')).toEqual([
    '--rpc-bind-ip',
    '--rpc-bind-ipv6-address',
    '--rpc-bind-port',
  ]);
  expect(complete('--pow-engine n')).toEqual(['native']);
});

describe('the man page', () => {
  testWith('mandoc', 'has no fault that mandoc finds', () => {
    expect(runProgram('mandoc', ['-T', 'lint', '-W', 'warning', MAN]).output).not.toMatch(
      /ERROR|UNSUPP/,
    );
  });

  testWith('groff', 'has no fault that groff finds', () => {
    // A digest is longer than a line.
    const { status, output } = runProgram('groff', ['-ww', '-Wbreak', '-man', '-T', 'utf8', MAN]);
    expect({ status, warnings: output.match(/(warning|error):.*/g) }).toEqual({
      status: 0,
      warnings: null,
    });
  });
});
