import { readFileSync } from 'node:fs';
import type { OptionValue, OptionValues } from './given-options.ts';
import { OPTIONS, optionNamed } from './options/options.ts';
import { readValue, setValue, suggestion } from './parse-arguments.ts';
import { UsageError } from './usage-error.ts';

const SETTINGS = OPTIONS.filter(({ group }) => group === 'settings');
/** An empty value turns a switch on, as in monerod. */
const TRUE = new Set(['', '1', 'true', 'yes', 'on']);
const FALSE = new Set(['0', 'false', 'no', 'off']);

/**
 * Reads `name=value` lines; `#` starts a comment. `name=` turns a switch on and sets other options to an empty value. Names
 * are written in full: a prefix may mean another option in a later release.
 *
 * Throws UsageError for unknown options, commands and invalid values.
 */
export function parseConfig(content: string): Map<string, OptionValue> {
  const values = new Map<string, OptionValue>();
  for (const [i, raw] of content.split(/\r?\n/).entries()) {
    const line = raw.replace(/#.*$/, '').trim();
    if (line === '') continue;
    try {
      readLine(line, values);
    } catch (error) {
      if (error instanceof UsageError) throw new UsageError(`line ${i + 1}: ${error.message}`);
      throw error;
    }
  }
  for (const [name, value] of values) if (value === false) values.delete(name);
  return values;
}

/** Reads a line into the values. */
function readLine(line: string, values: Map<string, OptionValue>): void {
  const equals = line.indexOf('=');
  const name = (equals === -1 ? line : line.slice(0, equals)).trim();
  const value = line.slice(equals + 1).trim();
  const spec = optionNamed(name);
  if (spec === undefined)
    throw new UsageError(
      `Unrecognized option '${name}' in config file${suggestion(name, { prefix: '', options: SETTINGS })}`,
    );
  if (spec.group === 'command') {
    throw new UsageError(
      `Option '${name}' is not allowed in the config file, please use it as a command line flag.`,
    );
  }
  if (equals === -1) throw new UsageError(`invalid line '${line}': '${name}=' is meant`);
  if (spec.kind !== 'switch') {
    setValue(values, spec, readValue(spec, value));
    return;
  }
  const isOn = TRUE.has(value.toLowerCase());
  if (!isOn && !FALSE.has(value.toLowerCase())) {
    throw new UsageError(
      `the argument ('${value}') for option '${name}' is invalid. Valid choices are 'on|off', 'yes|no', '1|0' and 'true|false'`,
    );
  }
  setValue(values, spec, isOn);
}

/**
 * Reads a config file. Returns undefined when an optional file does not exist.
 *
 * Throws UsageError when a required file does not exist, a file cannot be read, or the content is invalid.
 */
export function readConfigFile(
  path: string,
  required: boolean,
): Map<string, OptionValue> | undefined {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') {
      throw new UsageError(`Can't read config file ${path}: ${message}`);
    }
    if (required) throw new UsageError(`Can't find config file ${path}`);
    return undefined;
  }
  try {
    return parseConfig(content);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`Error parsing config file ${path}, ${error.message}`);
  }
}

/**
 * Runs a function that reads merged values. Throws what it throws, but a UsageError about an option that only the file
 * has names the file.
 */
export function namingConfigFile<T>(
  path: string,
  { commandLine, file }: { commandLine: OptionValues; file: OptionValues },
  read: () => T,
): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const words = new Set(error.message.split(/[^\w-]+/).map((word) => word.replace(/^--/, '')));
    const isFromFile = [...file.keys()].some((name) => words.has(name) && !commandLine.has(name));
    throw isFromFile ? new UsageError(`${error.message} (config file ${path})`) : error;
  }
}

/** Merges the values of the command line and the file. The command line wins; lists are joined. */
export function mergeValues(
  commandLine: ReadonlyMap<string, OptionValue>,
  file: ReadonlyMap<string, OptionValue>,
): Map<string, OptionValue> {
  const merged = new Map(file);
  for (const [name, value] of commandLine) {
    const inFile = file.get(name);
    if (Array.isArray(value) && Array.isArray(inFile)) merged.set(name, [...value, ...inFile]);
    else merged.set(name, value);
  }
  return merged;
}
