import type { StreamSettings } from './stream-info.ts';

/** Shortest limit of a stream's messages with which blocks can be cut into parts, bytes. */
const MIN_MESSAGE_BYTES = 8192;

/** Most subjects of a stream that a message lists. */
const MAX_SUBJECTS = 6;

/** A stream cannot hold events as it is set up. */
export class UnfitStreamError extends Error {
  override readonly name = 'UnfitStreamError';
  /** What the operator can do, without a full stop. */
  readonly advice: string;

  constructor(message: string, advice: string) {
    super(message);
    this.advice = advice;
  }
}

/** Throws UnfitStreamError unless a stream takes and keeps the messages on some subjects, which have no wildcards but a last `*`. */
export function checkFit(
  stream: string,
  settings: StreamSettings,
  subjects: readonly string[],
): void {
  const { retention } = settings;
  const missing = subjects.filter(
    (subject) => !settings.subjects.some((of) => covers(of, subject)),
  );
  if (missing.length > 0) {
    const others = settings.subjects.slice(0, 4).join(', ') || 'no subjects';
    throw new UnfitStreamError(
      `the stream ${stream} takes ${others}, not ${missing.join(', ')}`,
      adviceOnSubjects(stream, [...settings.subjects, ...missing]),
    );
  }
  if (retention !== 'limits') {
    throw new UnfitStreamError(
      `the stream ${stream} has the retention ${retention}, which drops messages that others still need`,
      `Delete it (nats stream rm ${stream}), and the node makes it anew, or choose another name with --events-stream`,
    );
  }
  if (settings.isSealed || settings.isSilent) {
    const fault = settings.isSealed ? 'is sealed' : 'acknowledges no messages (no_ack)';
    throw new UnfitStreamError(
      `the stream ${stream} ${fault}`,
      `Delete it (nats stream rm ${stream}), and the node makes it anew, or choose another name with --events-stream`,
    );
  }
}

/** @param subjects those that the stream takes, and those that it lacks */
function adviceOnSubjects(stream: string, subjects: readonly string[]): string {
  // The command replaces all subjects: one that left some out would take them from whoever uses them.
  const isPlain = subjects.every((subject) => !/['\s]/.test(subject));
  const change =
    subjects.length <= MAX_SUBJECTS && isPlain
      ? `run nats stream edit ${stream} --subjects '${subjects.join(',')}'`
      : `add the missing subjects to those of ${stream}`;
  return `If it is yours to change, ${change}; else choose another name with --events-stream`;
}

/** Throws UnfitStreamError when a stream takes no messages so long that blocks can be cut into them. */
export function checkTakesParts(stream: string, { maxMessageBytes }: StreamSettings): void {
  if (maxMessageBytes !== undefined && maxMessageBytes < MIN_MESSAGE_BYTES) {
    throw new UnfitStreamError(
      `the stream ${stream} takes messages of ${maxMessageBytes} bytes; blocks need at least ${MIN_MESSAGE_BYTES}`,
      `Run nats stream edit ${stream} --max-msg-size -1`,
    );
  }
}

/** Returns whether all subjects that `wanted` matches match `pattern`, too. Source: wildcards in the reference of NATS. */
function covers(pattern: string, wanted: string): boolean {
  const of = pattern.split('.');
  const tokens = wanted.split('.');
  for (const [at, token] of of.entries()) {
    if (token === '>') return tokens.length > at;
    const other = tokens[at];
    if (other === undefined || (token !== '*' && token !== other)) return false;
  }
  return of.length === tokens.length;
}
