/** From least to most talkative. */
export const LEVELS = ['FATAL', 'ERROR', 'WARNING', 'INFO', 'DEBUG', 'TRACE'] as const;
export type Level = (typeof LEVELS)[number];

interface Rule {
  readonly pattern: RegExp;
  readonly text: string;
  readonly level: number;
}

/** What `--log-level 0` to `4` stand for (monerod 0.18, mlog_get_default_categories). */
const PRESETS: readonly string[] = [
  '*:WARNING,net:FATAL,net.http:FATAL,net.ssl:FATAL,net.p2p:FATAL,net.cn:FATAL,daemon.rpc:FATAL,global:INFO,verify:FATAL,serialization:FATAL,daemon.rpc.payment:ERROR,stacktrace:INFO,logging:INFO,msgwriter:INFO',
  '*:INFO,global:INFO,stacktrace:INFO,logging:INFO,msgwriter:INFO,perf.*:DEBUG',
  '*:DEBUG',
  '*:TRACE,*.dump:DEBUG',
  '*:TRACE',
];

function ruleOf(text: string): Rule {
  const at = text.lastIndexOf(':');
  const level = LEVELS.indexOf(text.slice(at + 1).trim() as Level);
  const category = text.slice(0, at).trim();
  if (at <= 0 || level === -1) {
    throw new RangeError(`'${text}' is not of the form category:LEVEL`);
  }
  const escaped = category.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`);
  return { pattern, text: `${category}:${LEVELS[level] as string}`, level };
}

/** Which messages of which categories are written; of several rules that fit, the last counts. */
export class LogLevels {
  #rules: readonly Rule[] = [];
  readonly #cache = new Map<string, number>();

  /** `spec`: '', '0' to '4', or `category:LEVEL` pairs joined by commas. @throws RangeError */
  constructor(spec = '') {
    this.set(spec);
  }

  set(spec: string): void {
    const preset = /^\d$/.test(spec) ? PRESETS[Number(spec)] : spec === '' ? PRESETS[0] : spec;
    if (preset === undefined) throw new RangeError(`log level ${spec} is not between 0 and 4`);
    this.#rules = preset.split(',').map(ruleOf);
    this.#cache.clear();
  }

  allows(category: string, level: number): boolean {
    let limit = this.#cache.get(category);
    if (limit === undefined) {
      limit = this.#rules.findLast((rule) => rule.pattern.test(category))?.level ?? -1;
      this.#cache.set(category, limit);
    }
    return level <= limit;
  }

  toString(): string {
    return this.#rules.map((rule) => rule.text).join(',');
  }
}
