import { devAccount } from './accounts.ts';
import { runCli } from './run-cli.ts';

/** Runs the program until it has printed something, calls `use` with it, and stops it. */
async function run(argv: readonly string[], use: (printed: string) => unknown = () => undefined) {
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const errors: string[] = [];
  const uses: unknown[] = [];
  const status = await runCli(argv, {
    print: (text) => void uses.push(Promise.resolve(use(text)).finally(stop)),
    printError: (text) => void errors.push(text),
    stopRequested: () => stopped,
  });
  await Promise.all(uses);
  return { status, errors: errors.join('') };
}

test('prints as JSON where the node listens, and which accounts there are', async () => {
  const address = devAccount(2).address;
  const { status } = await run(['--json', '--blocks', '2', '--address', address], async (line) => {
    const facts = JSON.parse(line) as { rpc: string; p2p: string; top: string };
    expect(facts).toMatchObject({
      height: 3,
      accounts: [devAccount(0), devAccount(1), devAccount(2)].map(({ address: at, seed }) => ({
        address: at,
        seed,
      })),
    });
    expect(facts.p2p).toMatch(/^127\.0\.0\.1:\d+$/);
    const answer = await (await fetch(`${facts.rpc}/get_info`)).json();
    expect(answer).toMatchObject({ height: 3, top_block_hash: facts.top });
  });
  expect(status).toBe(0);
});

test('stops when an RPC client asks it to', async () => {
  const never = new Promise<void>(() => undefined);
  const stopping: unknown[] = [];
  const status = await runCli(['--json'], {
    print: (line) =>
      void stopping.push(fetch(`${(JSON.parse(line) as { rpc: string }).rpc}/stop_daemon`)),
    printError: () => undefined,
    stopRequested: () => never,
  });
  await Promise.all(stopping);
  expect(status).toBe(0);
});

test('names the accounts for people', async () => {
  await run([], (text) => {
    expect(text).toContain(`Account 0  ${devAccount(0).address}`);
    expect(text).toMatch(/^RPC {8}http:\/\/127\.0\.0\.1:\d+$/m);
  });
});

test.each([
  [['--blocks', 'many'], 2, "--blocks: a number expected, not 'many'"],
  [['--rpc-port', '70000'], 2, '--rpc-port: a number from 0 to 65535 expected'],
  [['--color'], 2, "Unknown option '--color'"],
  [['--blocks', '1', '--address', 'nobody'], 1, '"nobody" is not an address: '],
])('%j ends with %d', async (argv, expected, message) => {
  const { status, errors } = await run(argv);
  expect(status).toBe(expected);
  expect(errors).toContain(message);
});

test.each([['--help'], ['--version']])('%s prints and ends', async (option) => {
  const printed: string[] = [];
  const { status } = await run([option], (text) => printed.push(text));
  expect(status).toBe(0);
  expect(printed.join('')).toMatch(option === '--help' ? /^Usage: / : /^\d+\.\d+\.\d+/);
});
