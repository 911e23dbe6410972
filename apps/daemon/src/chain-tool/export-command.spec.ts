import { makeDaemonSettings } from '../cli/daemon-settings.ts';
import { parseArguments } from '../cli/parse-arguments.ts';
import { prepareExport } from './export-command.ts';
import { splitArguments } from './tool-options.ts';

const prepare = (...argv: string[]) =>
  prepareExport(makeDaemonSettings(parseArguments([]).values), splitArguments(argv).own);

test.each([
  ['neither of the two', [], '--output-file is required'],
  ['both', ['--to-monerod', 'a', '--output-file', 'b'], 'and --output-file exclude'],
  ['no folder', ['--to-monerod='], '--to-monerod is required'],
  ['a first block for monerod', ['--to-monerod=a', '--block-start=1'], 'and --block-start exclude'],
])('%s is refused', (_, argv, message) => {
  expect(() => prepare(...argv)).toThrow(message);
});
