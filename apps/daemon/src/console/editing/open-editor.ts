import { createInterface, type Interface } from 'node:readline';
import type { Terminal } from '../../terminal/terminal.ts';
import { HISTORY_LINES, type HistoryFile } from './history-file.ts';

const PROMPT = 'monero> ';

export interface EditorOptions {
  readonly input: NodeJS.ReadableStream;
  readonly terminal: Terminal;
  readonly history: HistoryFile;
  /** Returns what may follow in place of the end of the line, and that end. */
  readonly complete: (line: string) => [candidates: string[], end: string];
  /** Returns whether a line holds a password, so that it is forgotten at once. */
  readonly isSecret: (line: string) => boolean;
  /** Called for Ctrl-C on an empty line. */
  readonly onInterrupt: () => void;
}

/**
 * Opens a line editor on a terminal: history, Tab, Ctrl-C to clear a line, Ctrl-D to end. The caller closes it, and
 * hides it from the terminal first.
 */
export function openEditor(options: EditorOptions): Interface {
  const { input, terminal, history, complete, isSecret, onInterrupt } = options;
  const lines = createInterface({
    input,
    output: terminal.stream,
    terminal: true,
    prompt: PROMPT,
    completer: complete,
    history: history.load(),
    historySize: HISTORY_LINES,
    removeHistoryDuplicates: true,
  });
  lines.on('history', (known: string[]) => {
    // Node adds the line before it is run, and lets the listener remove it.
    for (let i = known.length - 1; i >= 0; i--) if (isSecret(known[i] ?? '')) known.splice(i, 1);
    history.save(known);
  });
  lines.on('SIGINT', () => {
    if (lines.line === '') {
      onInterrupt();
      return;
    }
    lines.write(null, { ctrl: true, name: 'e' });
    lines.write(null, { ctrl: true, name: 'u' });
  });
  terminal.show(lines);
  return lines;
}
