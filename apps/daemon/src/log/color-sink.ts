import { styleText } from 'node:util';
import { WriteStream } from 'node:tty';
import type { Terminal, TerminalStream } from '../terminal/terminal.ts';
import type { LogEntry, LogSink } from './level-logger.ts';

type Style = Parameters<typeof styleText>[0];

/** The style applies whatever standard output is: `wantsColors` has decided. */
const UNCHECKED = { validateStream: false };

/** Category of messages for the operator. */
const NOTICES = 'global';

/** Returns how a line is shown; undefined: as other text. */
function styleOf({ level, category }: LogEntry): Style | undefined {
  if (level === 'FATAL' || level === 'ERROR') return 'red';
  if (level === 'WARNING') return 'yellow';
  if (level === 'INFO') return category === NOTICES ? 'bold' : undefined;
  return 'gray';
}

/**
 * Returns whether lines get colors: on a terminal that has some, unless NO_COLOR is set. FORCE_COLOR, unless it is 0 or false,
 * has precedence and applies elsewhere too.
 */
export function wantsColors(stream: TerminalStream, environment: NodeJS.ProcessEnv): boolean {
  const forced = environment['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return stream.isTTY === true && hasColors(environment);
}

/** Node knows the terminals, and looks at NO_COLOR. */
function hasColors(environment: NodeJS.ProcessEnv): boolean {
  return WriteStream.prototype.getColorDepth(environment) > 1;
}

/** Returns a sink that shows warnings in yellow, errors in red, notices in bold and details in gray. */
export function colorSink(terminal: Terminal): LogSink {
  return {
    write: (line, entry) => {
      const style = styleOf(entry);
      // The line break is outside: it would take the style to the next line.
      terminal.write(
        style === undefined ? line : `${styleText(style, line.slice(0, -1), UNCHECKED)}\n`,
      );
    },
  };
}
