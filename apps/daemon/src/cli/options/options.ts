import { CHAIN_OPTIONS } from './chain-options.ts';
import {
  describeOption,
  TOPIC_TITLES,
  type DaemonOption,
  type OptionField,
  type TopicName,
  type ValueOf,
} from './define-options.ts';
import { GENERAL_OPTIONS } from './general-options.ts';
import { P2P_OPTIONS } from './p2p-options.ts';
import { RPC_OPTIONS } from './rpc-options.ts';
import { SERVICE_OPTIONS } from './service-options.ts';
import { STRATUM_OPTIONS } from './stratum-options.ts';

/** The rows of all options by name. Source: --help of monerod 0.18, for those that monerod has. */
export const OPTION_ROWS = {
  ...GENERAL_OPTIONS,
  ...CHAIN_OPTIONS,
  ...P2P_OPTIONS,
  ...RPC_OPTIONS,
  ...SERVICE_OPTIONS,
  ...STRATUM_OPTIONS,
} as const;

type OptionRows = typeof OPTION_ROWS;

/** The name of an option, without `--`. */
export type OptionName = keyof OptionRows;

/** The type of the value of an option. */
export type OptionValueOf<Name extends OptionName> = ValueOf<OptionRows[Name]>;

/** The values of the options that name a field of the options of a part, by these fields. */
export type FieldsOf<Part extends keyof OptionField> = {
  [
    Name in OptionName as OptionRows[Name] extends Readonly<
      Record<Part, infer Field extends string>
    >
      ? Field
      : never
  ]: OptionValueOf<Name>;
};

/** Every option of monerod with its support here, and the options that only we have, in the order of `--help-all`. */
export const OPTIONS: readonly DaemonOption[] = Object.entries(OPTION_ROWS).map(([name, row]) =>
  describeOption(name, row),
);

const BY_NAME = new Map(OPTIONS.map((option) => [option.name, option]));

/** Returns the option with this name, written without `--`; undefined when there is none. */
export function optionNamed(name: string): DaemonOption | undefined {
  return BY_NAME.get(name);
}

/** Options that belong together. */
export interface OptionTopic {
  readonly name: string;
  readonly title: string;
  readonly options: readonly DaemonOption[];
}

const TOPIC_NAMES = Object.keys(TOPIC_TITLES) as TopicName[];

/** Every option, in exactly one topic. */
export const OPTION_TOPICS: readonly OptionTopic[] = TOPIC_NAMES.map((name) => ({
  name,
  title: TOPIC_TITLES[name],
  options: OPTIONS.filter(({ topic }) => topic === name),
}));
