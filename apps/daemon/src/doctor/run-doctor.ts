import { join } from 'node:path';
import { RpcClient, RpcConnectionError, RpcLoginError } from '@monero-node/rpc-client';
import { CHAIN_DIR } from '@monero-node/node/chain-dir';
import { ownerOf } from '@monero-node/storage/system';
import { makeDaemonSettings, type DaemonSettings } from '../cli/daemon-settings.ts';
import type { OptionValues } from '../cli/given-options.ts';
import { UsageError } from '../cli/usage-error.ts';
import { loginAdvice, routeToDaemon } from '../console/daemon-address.ts';
import { reasonOf } from '../console/error-text.ts';
import { refusedOptions } from './checks/options.ts';
import { CHECKS, examine } from './examine.ts';
import { failureText, notChecked, type Finding } from './finding.ts';
import { askNode, type NodeFacts } from './node-facts.ts';
import type { Silence } from './patient.ts';
import { jsonReport, statusOf, textReport } from './report.ts';
import { thisMachine, type Surroundings } from './surroundings.ts';

/** Milliseconds to wait for the node. A busy one answers within a second. */
const ANSWER_MS = 10_000;

/**
 * Examines the node that runs with these options, or would, and prints what was found. Returns the exit status: 0 for a healthy
 * node, 2 with warnings, 1 with a failure. Options that a node refuses are a failure too.
 *
 * Throws UsageError for words after the command.
 *
 * @param words those after `doctor`
 */
export async function runDoctor(
  words: readonly string[],
  values: OptionValues,
  print: (text: string) => void,
  system: Surroundings = thisMachine(),
): Promise<number> {
  if (words.length > 0) throw new UsageError(`doctor takes no words: '${words.join(' ')}'`);
  const findings = await diagnose(values, system);
  print(values.get('json') === true ? jsonReport(findings) : textReport(findings));
  return statusOf(findings);
}

async function diagnose(values: OptionValues, system: Surroundings): Promise<Finding[]> {
  let settings: DaemonSettings;
  try {
    settings = makeDaemonSettings(values);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return withoutSettings(error.message);
  }
  const pid = await ownerOf(join(settings.dataDir, CHAIN_DIR)).catch(() => undefined);
  const asked = await ask(settings);
  return await examine({ settings, pid, system, node: asked.node, silence: asked.silence });
}

/** Returns the findings when the options cannot be read, on which every other check depends. */
function withoutSettings(why: string): Finding[] {
  return CHECKS.map(({ id }) => ({
    id,
    ...(id === 'options' ? refusedOptions(why) : notChecked('the options are refused')),
  }));
}

/** What the node has said, or why it has not. */
interface Asked {
  readonly node: NodeFacts | undefined;
  readonly silence: Silence | undefined;
}

async function ask(settings: DaemonSettings): Promise<Asked> {
  try {
    const { transport, address, hasLogin } = await routeToDaemon(settings, ANSWER_MS);
    try {
      return { node: await askNode(new RpcClient({ transport })), silence: undefined };
    } catch (error) {
      return { node: undefined, silence: silenceOf(error, { address, hasLogin }) };
    } finally {
      transport.close();
    }
  } catch (error) {
    // No password, or options of TLS that contradict each other.
    return { node: undefined, silence: { kind: 'away', why: (error as Error).message } };
  }
}

function silenceOf(
  error: unknown,
  route: { readonly address: string; readonly hasLogin: boolean },
): Silence {
  if (error instanceof RpcLoginError) return { kind: 'refused', why: loginAdvice(route) };
  const { message } = error as Error;
  return error instanceof RpcConnectionError
    ? {
        kind: 'away',
        why: `nothing answers at ${route.address} (${failureText(error.cause ?? error)})`,
      }
    : {
        kind: 'odd',
        why: `what answers at ${route.address} is no node: ${reasonOf(error, message)}`,
      };
}

/**
 * Examines the node of this process for its console. Returns the report.
 *
 * @param daemon calls the node
 */
export async function examineOwnNode(
  settings: DaemonSettings,
  daemon: Pick<RpcClient, 'rpc' | 'path'>,
): Promise<string> {
  const node = await askNode(daemon);
  const pid = String(process.pid);
  return textReport(
    await examine({ settings, node, pid, silence: undefined, system: thisMachine() }),
  );
}
