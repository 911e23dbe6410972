import type { JSX } from 'preact';
import * as format from '../format.ts';
import type { LogRow } from '../state/messages.ts';
import { Section } from './section.tsx';

/** The newest lines of the log, newest first. */
export function LogLines({ lines }: { readonly lines: readonly LogRow[] }): JSX.Element {
  return (
    <Section id="log" title="Log" aside="warnings, errors and main events">
      {lines.length === 0 ? (
        <p class="empty">No lines yet.</p>
      ) : (
        <div class="scroll" role="region" aria-label="Lines of the log" tabIndex={0}>
          <ol>
            {[...lines].reverse().map((line) => (
              <Line key={line.number} line={line} />
            ))}
          </ol>
        </div>
      )}
    </Section>
  );
}

function Line({ line }: { readonly line: LogRow }): JSX.Element {
  const { level, text, time } = line;
  const date = new Date(time);
  return (
    <li class={`is-${level.toLowerCase()}`}>
      <time dateTime={date.toISOString()} title={date.toISOString()}>
        {format.clockTime(time)}
      </time>
      <span class="text">
        {level !== 'INFO' && <strong>{level.toLowerCase()} </strong>}
        {text}
      </span>
    </li>
  );
}
