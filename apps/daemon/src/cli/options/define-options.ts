import type { P2pOptions } from '@monero-node/p2p/options';
import type { RpcOptions } from '@monero-node/rpc/options';

/** How an option's value is read. */
export type OptionKind = 'switch' | 'text' | 'integer' | 'list';

/**
 * How this daemon treats an option of monerod.
 * - `works`: like monerod.
 * - `ignored`: accepted with a warning, so that existing start scripts keep working; ignoring it is harmless.
 * - `refused`: the daemon does not start, because ignoring it would change what the user asked for.
 */
export type OptionSupport = 'works' | 'ignored' | 'refused';

/** Topics of `--help`, in its order, with their titles. */
export const TOPIC_TITLES = {
  general: 'General',
  p2p: 'Peers',
  sync: 'Synchronization and verification',
  storage: 'Files and database',
  network: 'Network',
  privacy: 'Proxies, Tor and I2P',
  notify: 'Programs that the daemon runs',
  rpc: 'RPC for wallets and commands',
  events: 'Events on NATS JetStream',
  zmq: 'ZeroMQ',
  mining: 'Mining',
  logging: 'Log',
} as const;

export type TopicName = keyof typeof TOPIC_TITLES;

/** Where the value of an option goes if it is handed on as it is. */
export interface OptionField {
  /** Field of the options of the RPC. */
  readonly rpc?: keyof RpcOptions;
  /** Field of the options of the peer-to-peer network. */
  readonly p2p?: keyof P2pOptions;
}

/** The facts of an option besides its name, its kind and its help text. */
interface OptionFacts extends OptionField {
  readonly topic: TopicName;
  /** Settings, which is the default, are allowed in the config file; commands only on the command line. */
  readonly group?: 'command';
  /** Placeholder of the value in the help text. */
  readonly value?: string;
  /** Smallest and largest integer allowed. */
  readonly range?: readonly [number, number];
  /** The value that holds without the option. */
  readonly default?: string | number;
  /** The default as the help shows it, where it depends on the network or the machine, or belongs to another package. */
  readonly shownDefault?: string;
  /** Values that a shell completes. */
  readonly words?: readonly string[];
  /** Whether the value is the path of a file although the placeholder does not say so. */
  readonly isFile?: true;
  /** Whether a text is one of our words. Any other text may hold a password, an address or a path. */
  readonly isPlain?: true;
  /** By default it works. */
  readonly support?: 'ignored' | 'refused';
  /** Why it is refused or ignored, if that is not obvious. */
  readonly reason?: string;
  /** The value of an ignored option that asks for what is done anyway: no warning is given then. `true` means any value. */
  readonly metBy?: string | true;
  /** Whether a running node takes over a new value from the config file. */
  readonly reload?: true;
  /** How it differs from monerod's, or why it is accepted without effect. */
  readonly note?: string;
  /** Why the default is written differently from monerod's or differs. */
  readonly defaultNote?: string;
  /** The suite (`25-pruned-node`) or spec (`p2p/node.peers`, below `src`) that shows the effect of an option of monerod. */
  readonly shownBy?: string;
}

/** A row of the table: an option without its name, which is the key. */
interface OptionRow extends OptionFacts {
  readonly kind: OptionKind;
  readonly help: string;
}

/** An option as the help, the completions and the parsers see it. */
export interface OptionSpec {
  readonly name: string;
  readonly kind: OptionKind;
  readonly help: string;
  readonly group: 'command' | 'settings';
  readonly support: OptionSupport;
  readonly value?: string;
  /** The default as shown in the help text. */
  readonly default?: string;
  readonly range?: readonly [number, number];
  readonly words?: readonly string[];
  readonly isFile?: true;
  readonly metBy?: string | true;
  readonly reason?: string;
}

/** An option of the daemon. */
export interface DaemonOption extends OptionSpec, OptionField {
  readonly topic: TopicName;
  readonly isPlain?: true;
  readonly reload?: true;
  readonly note?: string;
  readonly defaultNote?: string;
  readonly shownBy?: string;
}

type Absent<Row> = Row extends { readonly default: string | number } ? never : undefined;

/** The value that the reader returns for an option: undefined only for a value that has no default. */
export type ValueOf<Row extends OptionRow> = Row extends { readonly kind: 'switch' }
  ? boolean
  : Row extends { readonly kind: 'list' }
    ? string[]
    : Row extends { readonly kind: 'integer' }
      ? number | Absent<Row>
      : string | Absent<Row>;

/** Returns options as given. A wrong field is an error of the compiler, which remembers the kind and default of each. */
export function defineOptions<const Rows extends Readonly<Record<string, OptionRow>>>(
  rows: Rows,
): Rows {
  return rows;
}

/** Returns a switch. */
export const flag = <const Facts extends OptionFacts>(help: string, facts: Facts) =>
  ({ kind: 'switch', help, ...facts }) as const;

/** Returns an option with a text. */
export const text = <const Facts extends OptionFacts & { readonly value: string }>(
  help: string,
  facts: Facts,
) => ({ kind: 'text', help, ...facts }) as const;

/** Returns an option with an integer in a range, its ends included. */
export const integer = <
  const Facts extends OptionFacts & { readonly range: readonly [number, number] },
>(
  help: string,
  facts: Facts,
) => ({ kind: 'integer', help, value: 'N', ...facts }) as const;

/** Returns an option that can be repeated. */
export const list = <const Facts extends OptionFacts & { readonly value: string }>(
  help: string,
  facts: Facts,
) => ({ kind: 'list', help, ...facts }) as const;

/** Returns the option of a row. */
export function describeOption(name: string, row: OptionRow): DaemonOption {
  const { default: preset, shownDefault = preset, group = 'settings', ...facts } = row;
  const option: DaemonOption = { ...facts, name, group, support: facts.support ?? 'works' };
  return shownDefault === undefined ? option : { ...option, default: String(shownDefault) };
}

/** Least and greatest values of numeric options. */
export const PORT = [0, 65_535] as const;
export const U32 = [0, 4_294_967_295] as const;
export const COUNT = [-1, 2_147_483_647] as const;
export const BYTES = [0, Number.MAX_SAFE_INTEGER] as const;

/** Why a default is written differently. */
export const SAME_DEFAULT = 'the same, written otherwise';
