import { createRequire } from 'node:module';
import { toHex } from '@monero-node/codec';
import { devAccount } from './accounts.ts';
import { CliError, HELP, parseCliOptions, type CliOptions } from './cli-options.ts';
import type { DevNode } from './dev-node.ts';
import { startNode } from './start-node.ts';

/** Accounts whose words are printed. */
const ACCOUNTS = 3;

/** The process around the program. */
export interface CliProcess {
  print(text: string): void;
  printError(text: string): void;
  /** Resolves when the program is to stop. */
  stopRequested(options: { readonly stdin: boolean }): Promise<void>;
}

/** Runs the program with these arguments until it is told to stop; returns the exit status. */
export async function runCli(argv: readonly string[], process: CliProcess): Promise<number> {
  let options: CliOptions;
  try {
    options = parseCliOptions(argv);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    process.printError(`${error.message}\n--help shows the options.\n`);
    return 2;
  }
  if (options.help) process.print(HELP);
  else if (options.version) process.print(`${version()}\n`);
  else return runNode(options, process);
  return 0;
}

async function runNode(options: CliOptions, process: CliProcess): Promise<number> {
  const { address, autoMine, dataDir, difficulty, forks, p2pPort, peers } = options;
  const { rpcHost, rpcPort } = options;
  let stopNow = (): void => undefined;
  const stoppedByClient = new Promise<void>((resolve) => (stopNow = resolve));
  const requested = process.stopRequested(options);
  let node: DevNode | undefined;
  let isStopped = false;
  try {
    node = await startNode({
      autoMine,
      difficulty,
      p2pPort,
      peers,
      rpcHost,
      rpcPort,
      requestStop: stopNow,
      ...(dataDir !== undefined && { dataDir }),
      ...(forks !== undefined && { forks }),
    });
    const stopped = Promise.race([requested, stoppedByClient]).then(() => (isStopped = true));
    for (let mined = 0; mined < options.blocks && !isStopped; mined++) await node.mine(1, address);
    if (isStopped) return 0;
    process.print(options.json ? `${JSON.stringify(facts(node))}\n` : describe(node));
    await stopped;
    return 0;
  } catch (error) {
    process.printError(`${(error as Error).message}\n`);
    return 1;
  } finally {
    await node?.stop();
  }
}

/** Returns the facts that other programs need to use the node. */
function facts(node: DevNode) {
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) => devAccount(index));
  return {
    rpc: node.rpcUrl,
    p2p: node.p2pAddress,
    height: node.height,
    top: toHex(node.topId),
    accounts: accounts.map(({ address, seed }) => ({ address, seed })),
  };
}

function describe(node: DevNode): string {
  const { rpc, p2p, height, accounts } = facts(node);
  const lines = accounts.flatMap(({ address, seed }, index) => [
    `Account ${index}  ${address}`,
    `           ${seed}`,
  ]);
  return [`RPC        ${rpc}`, `P2P        ${p2p}`, `Height     ${height}`, ...lines, ''].join(
    '\n',
  );
}

function version(): string {
  // src/ and dist/ are both next to package.json.
  return (createRequire(import.meta.url)('../package.json') as { readonly version: string })
    .version;
}
