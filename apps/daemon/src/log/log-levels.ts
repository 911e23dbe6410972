/** From the fewest to the most messages. */
export const LEVELS = ['FATAL', 'ERROR', 'WARNING', 'INFO', 'DEBUG', 'TRACE'] as const;
export type Level = (typeof LEVELS)[number];

interface Rule {
  readonly pattern: RegExp;
  readonly level: number;
}

/** Categories of `--log-level 0` to `4`. Source: mlog_get_default_categories in contrib/epee/src/mlog.cpp. */
const PRESETS: readonly string[] = [
  '*:WARNING,net:FATAL,net.http:FATAL,net.ssl:FATAL,net.p2p:FATAL,net.cn:FATAL,daemon.rpc:FATAL,global:INFO,verify:FATAL,serialization:FATAL,daemon.rpc.payment:ERROR,stacktrace:INFO,logging:INFO,msgwriter:INFO',
  '*:INFO,global:INFO,stacktrace:INFO,logging:INFO,msgwriter:INFO,perf.*:DEBUG',
  '*:DEBUG',
  '*:TRACE,*.dump:DEBUG',
  '*:TRACE',
];

/** Longest list of categories that is accepted, in characters. */
const MAX_LENGTH = 100_000;

/** Parses `category:LEVEL`, in which `*` and `?` are wildcards; returns undefined for anything else. */
function ruleOf(text: string): Rule | undefined {
  const at = text.lastIndexOf(':');
  const level = LEVELS.indexOf(
    text
      .slice(at + 1)
      .trim()
      .toUpperCase() as Level,
  );
  const category = text.slice(0, at).trim();
  if (at <= 0 || category === '' || level === -1) return undefined;
  const escaped = category.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return { pattern: new RegExp(`^${escaped.replace(/\*+/g, '.*').replaceAll('?', '.')}$`), level };
}

/** Checks the setting of the command line. Throws RangeError for an unknown level and for anything but pairs. */
function checkSpec(spec: string): void {
  const [, number, rest = ''] = /^\s*([+-]?\d+)(?:,(.*))?$/s.exec(spec) ?? [];
  if (number !== undefined && PRESETS[Number(number)] === undefined) {
    throw new RangeError(`log level ${number} is not between 0 and 4`);
  }
  const parts = (number === undefined ? spec : rest).split(',').filter((part) => part !== '');
  const wrong = parts.find((part) => ruleOf(part) === undefined);
  if (wrong !== undefined) throw new RangeError(`'${wrong}' is not of the form category:LEVEL`);
}

/** Applies a change to the current categories; returns undefined when it changes nothing. */
function changed(present: string, spec: string): string | undefined {
  const [, number, rest] = /^\s*([+-]?\d+)(,.*)?$/s.exec(spec) ?? [];
  if (number !== undefined) {
    const preset = PRESETS[Number(number)];
    return rest === undefined ? preset : `${preset ?? ''}${rest}`;
  }
  if (spec.startsWith('+')) {
    return [present, spec.slice(1)].filter((part) => part !== '').join(',');
  }
  if (spec.startsWith('-')) {
    return spec
      .slice(1)
      .split(',')
      .reduce((text, part) => text.replace(part, () => ''), present);
  }
  return spec;
}

/** Decides which messages are written. If several rules match a category, the last one applies. */
export class LogLevels {
  #text = '';
  #rules: readonly Rule[] = [];
  readonly #cache = new Map<string, number>();

  /**
   * @param spec as for {@link LogLevels.set}, except that an empty text means level 0
   * Throws RangeError when it does not parse.
   */
  constructor(spec = '') {
    checkSpec(spec);
    this.set(spec === '' ? '0' : spec);
  }

  /**
   * Changes what is written: a level from 0 to 4, `category:LEVEL` pairs separated by commas, a level followed by pairs,
   * `+` and pairs to add, or `-` and pairs to remove. An empty text turns everything off. Pairs that do not parse are kept
   * without effect, and an unknown level changes nothing. Source: mlog_set_log in contrib/epee/src/mlog.cpp.
   */
  set(spec: string): void {
    const text = changed(this.#text, spec);
    if (text === undefined || text.length > MAX_LENGTH) return;
    this.#text = text;
    this.#rules = text.split(',').flatMap((part) => ruleOf(part) ?? []);
    this.#cache.clear();
  }

  /** The current categories, with a level from 0 to 4 written out as its pairs. */
  get categories(): string {
    return this.#text;
  }

  allows(category: string, level: number): boolean {
    let limit = this.#cache.get(category);
    if (limit === undefined) {
      limit = this.#rules.findLast((rule) => rule.pattern.test(category))?.level ?? -1;
      this.#cache.set(category, limit);
    }
    return level <= limit;
  }
}
