import { fullHelp, shortHelp, topicHelp } from './cli/help.ts';
import type { OptionValues } from './cli/given-options.ts';
import { UsageError } from './cli/usage-error.ts';
import { parseArguments } from './cli/parse-arguments.ts';
import { EXIT } from './ending/exit-codes.ts';
import { holdYoungGeneration } from './runtime/young-generation.ts';
import { VERSION_TEXT } from './version.ts';

function usage(error: UsageError): number {
  process.stderr.write(`Failed to parse arguments: ${error.message}\n`);
  if (error.mentionHelp)
    process.stderr.write('--help shows the important options, --help-all every one.\n');
  return EXIT.failed;
}

/** Returns the text of `--help` with the words that follow. Throws UsageError for an unknown topic. */
function helpFor([topic]: readonly string[]): string {
  return topic === undefined ? shortHelp(VERSION_TEXT) : topicHelp(topic);
}

/**
 * Runs what the arguments ask for: a text, a command to a running node, or a node. Returns the exit status.
 *
 * The code of each is loaded only here: that of a node takes longer to load than a command takes to answer.
 *
 * @param program path of the script that was started, for `--detach`.
 */
export async function run(argv: readonly string[], program: string): Promise<number> {
  try {
    const { values, words } = parseArguments(argv);
    if (values.has('help')) return print(helpFor(words));
    if (values.has('help-all')) return print(fullHelp(VERSION_TEXT));
    if (values.has('version')) return print(VERSION_TEXT);
    if (values.has('os-version')) return print(`${process.platform} ${process.arch}`);
    return await (words.length > 0
      ? runCommand(words, values)
      : runAsDaemon(values, argv, program));
  } catch (error) {
    if (error instanceof UsageError) return usage(error);
    throw error;
  }
}

/** Has a running node carry out a command. It ends before the memory that loading takes matters. */
async function runCommand(words: readonly string[], values: OptionValues): Promise<number> {
  if (words[0] === 'doctor') {
    const { runDoctor } = await import('./doctor/run-doctor.ts');
    return await runDoctor(words.slice(1), values, print);
  }
  const { makeDaemonSettings } = await import('./cli/daemon-settings.ts');
  const settings = makeDaemonSettings(values);
  const { runRemoteCommand } = await import('./console/remote.ts');
  return await runRemoteCommand(words, settings, { print, printError });
}

async function runAsDaemon(
  values: OptionValues,
  argv: readonly string[],
  program: string,
): Promise<number> {
  const releaseYoungGeneration = holdYoungGeneration();
  const { readConfiguration } = await import('./cli/daemon-settings.ts');
  const configuration = readConfiguration(values);
  if (configuration.settings.json)
    throw new UsageError('--json needs a command, for example status');
  const { runDaemon } = await import('./run-daemon.ts');
  return await runDaemon(configuration, {
    argv,
    program,
    onStarted: releaseYoungGeneration,
  });
}

function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return EXIT.ok;
}
