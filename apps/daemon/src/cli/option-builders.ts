import type { OptionKind, OptionSpec, OptionSupport } from './option-types.ts';

type Extra = Partial<
  Pick<OptionSpec, 'value' | 'default' | 'range' | 'support' | 'reason' | 'metBy'>
>;

/** Of options that are accepted without an effect. */
export const ignored = { support: 'ignored' } as const;

function option(
  group: OptionSpec['group'],
  kind: OptionKind,
  name: string,
  help: string,
  extra: Extra = {},
): OptionSpec {
  const support: OptionSupport = extra.support ?? 'works';
  return { ...extra, group, kind, name, help, support };
}

/** Returns an option of the command line only. */
export const command = (name: string, kind: OptionKind, help: string, extra?: Extra) =>
  option('command', kind, name, help, extra);
/** Returns a switch. */
export const flag = (name: string, help: string, extra?: Extra) =>
  option('settings', 'switch', name, help, extra);
/** Returns an option with a text. */
export const text = (name: string, value: string, help: string, extra?: Extra) =>
  option('settings', 'text', name, help, { value, ...extra });
/** Returns an option with an integer in a range, its ends included. */
export const number = (
  name: string,
  help: string,
  range: readonly [number, number],
  extra?: Extra,
) => option('settings', 'integer', name, help, { value: 'N', range, ...extra });
/** Returns an option that can be repeated. */
export const list = (name: string, value: string, help: string, extra?: Extra) =>
  option('settings', 'list', name, help, { value, ...extra });
