import { OptionReader, type OptionValue, type OptionValues } from '../cli/given-options.ts';
import type { DaemonOption } from '../cli/options/define-options.ts';
import { OPTIONS, type OptionName } from '../cli/options/options.ts';

/** Longest value that a line shows, characters. */
const SHOWN_LENGTH = 200;

/** An option whose value changes, the defaults taken into account. */
export interface OptionChange {
  readonly option: DaemonOption;
  readonly before: OptionValue | undefined;
  readonly after: OptionValue | undefined;
}

/** Returns the options whose values differ, in the order of the table. */
export function optionChanges(before: OptionValues, after: OptionValues): OptionChange[] {
  const readers = [before, after].map((values) => new OptionReader(values));
  return OPTIONS.flatMap((option) => {
    const [old, now] = readers.map((reader) => reader.get(option.name as OptionName));
    const isSame = effect(option, old) === effect(option, now);
    return isSame ? [] : [{ option, before: old, after: now }];
  });
}

/** Returns a text for a value that is the same for values that mean the same: -1 is the default, where it is allowed. */
function effect({ default: preset }: DaemonOption, value: OptionValue | undefined): string {
  if (value === undefined) return '';
  return value === -1 && preset !== undefined ? preset : JSON.stringify(value);
}

/** Returns a change as the log shows it, such as `out-peers 12 -> 24`. Only for options whose values are no secrets. */
export function changeText({ option, before, after }: OptionChange): string {
  return `${option.name} ${shown(option, before)} -> ${shown(option, after)}`;
}

function shown({ default: preset, kind }: DaemonOption, value: OptionValue | undefined): string {
  if (kind === 'switch') return value === true ? 'on' : 'off';
  if (value === undefined) return preset ?? 'none';
  // By -1 the default is meant, where it is allowed.
  if (value === -1) return preset ?? '-1';
  const text = Array.isArray(value) ? value.join(', ') || 'none' : withoutQuery(String(value));
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}\u2026` : text;
}

/** Returns a URL without what may be a secret of its owner; any other text as it is. */
function withoutQuery(text: string): string {
  return /^https?:/i.test(text) ? text.replace(/[?#].*$/, '?\u2026') : text;
}

/**
 * Returns the options that hold after a reload: of those that a running node takes over the new values, of all others those with
 * which it was started.
 */
export function valuesAfterReload(before: OptionValues, after: OptionValues): OptionValues {
  const live = new Set(OPTIONS.filter(({ reload }) => reload === true).map(({ name }) => name));
  const kept = [...before].filter(([name]) => !live.has(name));
  const taken = [...after].filter(([name]) => live.has(name));
  return new Map([...kept, ...taken]);
}
