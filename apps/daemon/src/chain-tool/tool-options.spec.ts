import { checkOptionsOf } from './commands.ts';
import { splitArguments } from './tool-options.ts';

test("the tool's options are separated from the daemon's", () => {
  const { own, rest } = splitArguments(['--restart', '--data-dir', 'a', '--from=5', '--to', '9']);
  expect([...own]).toEqual([
    ['restart', ''],
    ['from', '5'],
    ['to', '9'],
  ]);
  expect(rest).toEqual(['--data-dir', 'a']);
});

test.each([
  ['without its value', ['--from'], "'--from' is missing"],
  ['with a value that it does not take', ['--restart=1'], "'--restart' takes no value"],
])('an option is refused %s', (_, argv, message) => {
  expect(() => splitArguments(argv)).toThrow(message);
});

test.each([
  ['verify', ['--signatures', '--pow', '--from', '5']],
  ['import', ['--verify', '--block-stop', '5']],
  ['compact', ['--data-dir', 'a']],
  ['export', ['--to-monerod', 'a', '--block-stop', '5']],
])('%s takes its options', (name, argv) => {
  expect(() => checkOptionsOf(name, splitArguments(argv).own)).not.toThrow();
});

test.each([
  ['compact', '--restart', 'an option of verify'],
  ['backup', '--block-stop=5', 'an option of import, export, block-hashes'],
])('%s refuses %s', (name, argument, message) => {
  expect(() => checkOptionsOf(name, splitArguments([argument]).own)).toThrow(message);
});

test('names may be cut short while they are unambiguous among those of the tool', () => {
  const { own, rest } = splitArguments([
    ...['--data', 'a', '--rest', '--hard=f', '--input', 'f', '--log-l=1'],
  ]);
  expect([...own]).toEqual([
    ['restart', ''],
    ['input-file', 'f'],
  ]);
  expect(rest).toEqual(['--data-dir', 'a', '--hard-forks=f', '--log-level=1']);
});

test.each([
  ['--block-st', 'matches --block-start and --block-stop'],
  ['--fro', 'matches --from and --from-monerod'],
  ['--log', 'matches --log-file and --log-level'],
  ['--p', 'matches --pow, --pow-dataset, --pow-engine, --prep-blocks-threads and --proxy'],
])('%s is ambiguous', (typed, message) => {
  expect(() => splitArguments([typed, '5'])).toThrow(message);
});
