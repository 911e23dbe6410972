import { UsageError } from '../cli/option-types.ts';

/** Options of the chain tool that the daemon does not have, with what they mean. */
export const TOOL_OPTIONS = {
  'input-file': 'FILE  bootstrap file to import',
  'output-file': 'FILE  file to write',
  'block-start': 'N     first block of a new bootstrap file, 0 by default',
  'block-stop': 'N     last block, the newest by default',
  'batch-size': 'N     blocks imported at once, 100 by default',
  'dangerous-unverified-import':
    '      skip proof of work and signatures: only for files of your own',
} as const;

const SWITCHES: ReadonlySet<string> = new Set(['dangerous-unverified-import']);

export type ToolOption = keyof typeof TOOL_OPTIONS;

export interface ToolArguments {
  readonly own: ReadonlyMap<ToolOption, string>;
  /** What the daemon's options are to be read from. */
  readonly rest: string[];
}

/** Separates the options of the chain tool from those of the daemon. @throws UsageError */
export function splitArguments(argv: readonly string[]): ToolArguments {
  const own = new Map<ToolOption, string>();
  const rest: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i] ?? '';
    const [name = '', ...inline] = argument.startsWith('--') ? argument.slice(2).split('=') : [];
    if (!isToolOption(name)) {
      rest.push(argument);
      continue;
    }
    const value = SWITCHES.has(name) ? '' : inline.length > 0 ? inline.join('=') : argv[++i];
    if (value === undefined) {
      throw new UsageError(`the required argument for option '--${name}' is missing`);
    }
    own.set(name, value);
  }
  return { own, rest };
}

/** A whole number of at least `low`; undefined when the option was not given. @throws UsageError */
export function numberOf(
  own: ReadonlyMap<ToolOption, string>,
  name: ToolOption,
  low = 0,
): number | undefined {
  const text = own.get(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < low) {
    throw new UsageError(`the argument ('${text}') for option '--${name}' is invalid`);
  }
  return value;
}

export function required(own: ReadonlyMap<ToolOption, string>, name: ToolOption): string {
  const value = own.get(name);
  if (value === undefined || value === '') throw new UsageError(`--${name} is needed`);
  return value;
}

function isToolOption(name: string): name is ToolOption {
  return Object.hasOwn(TOOL_OPTIONS, name);
}
