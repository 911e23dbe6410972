import { EXIT } from '../ending/exit-codes.ts';
import { VERSION_TEXT } from '../version.ts';
import { chainUsage, namesCommand } from './commands.ts';

function print(text: string): number {
  process.stdout.write(text);
  return EXIT.ok;
}

/** Runs the chain tool with the given arguments; returns the exit status. Help loads nothing of a chain. */
export async function runChainTool(argv: readonly string[]): Promise<number> {
  const [name = '', ...args] = argv;
  if (argv.includes('--version')) return print(`${VERSION_TEXT}\n`);
  if (name === 'help' || argv.includes('--help')) return print(chainUsage());
  if (!namesCommand(name)) {
    process.stderr.write(chainUsage());
    return EXIT.failed;
  }
  const { runCommand } = await import('./run-command.ts');
  return runCommand(name, args);
}
