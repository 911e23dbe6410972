import type { JSX } from 'preact';
import * as format from '../format.ts';
import type { ClientFacts } from '../state/messages.ts';
import { Section } from './section.tsx';
import { TableHead } from './table-head.tsx';

const FIGURES = [{ title: 'Calls' }, { title: 'Sent' }, { title: 'Seconds' }];

/** What RPC clients cost. The page itself is none of them until it makes calls. */
export function Clients({
  clients,
  now,
}: {
  readonly clients: ClientFacts | undefined;
  /** Milliseconds. */
  readonly now: number;
}): JSX.Element | null {
  if (clients === undefined || clients.since === null) return null;
  const { rows, since } = clients;
  const aside = `in ${format.shortDuration(now / 1000 - since)}`;
  return (
    <Section id="clients" title="RPC clients" aside={aside}>
      <div class="scroll" role="region" aria-label="List of RPC clients" tabIndex={0}>
        <table>
          <TableHead first="Address" figures={FIGURES} />
          <tbody>
            {rows.map(({ host, calls, bytes, seconds }) => (
              <tr key={host}>
                <th scope="row" title={host}>
                  <span class="address">{format.abridged(host, 20)}</span>
                </th>
                <td class="number">{format.grouped(calls)}</td>
                <td class="number">{format.bytes(bytes)}</td>
                <td class="number">{seconds.toFixed(1)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
