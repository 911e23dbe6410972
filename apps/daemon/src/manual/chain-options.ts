import { CHAIN_COMMANDS, toolOption } from '../chain-tool/commands.ts';
import { SHARED_NAMES, TOOL_OPTIONS, type ToolOption } from '../chain-tool/tool-options.ts';
import { optionNamed } from '../cli/options/options.ts';
import type { OptionSpec } from '../cli/options/define-options.ts';

/** The options of the daemon that the chain tool takes too and that matter for it. */
export const SHARED_OPTIONS: readonly OptionSpec[] = SHARED_NAMES.flatMap(
  (name) => optionNamed(name) ?? [],
);

/** Returns an option of the chain tool in the form of those of the daemon. */
export function toolOptionSpec(name: ToolOption): OptionSpec {
  const { value, help } = toolOption(name);
  const kind = value === undefined ? 'switch' : 'text';
  const option = { name, kind, help, group: 'command', support: 'works' } as const;
  return value === undefined ? option : { ...option, value };
}

/** The options that only the chain tool has. */
export const OWN_OPTIONS: readonly OptionSpec[] = (Object.keys(TOOL_OPTIONS) as ToolOption[]).map(
  toolOptionSpec,
);

/** Returns the names of the commands that take an option of the chain tool. */
export function commandsWith(option: string): string[] {
  return CHAIN_COMMANDS.filter(({ options }) =>
    (options as readonly string[]).includes(option),
  ).map(({ name }) => name);
}
