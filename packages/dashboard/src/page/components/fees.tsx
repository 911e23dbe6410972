import type { JSX } from 'preact';
import * as format from '../format.ts';
import type { FeeFacts } from '../state/messages.ts';
import { Section } from './section.tsx';

const NAMES = ['Slow', 'Normal', 'Fast', 'Fastest'];
/** Weight of a transaction with one input and two outputs, as wallets make it. */
const USUAL_WEIGHT = 1500;
const BYTES_PER_KB = 1000;

/** The advice on fees. */
export function Fees({ fees }: { readonly fees: FeeFacts | undefined }): JSX.Element {
  return (
    <Section id="fees" title="Fees" aside="for a transaction of 1.5 kB">
      <dl>
        {NAMES.map((name, i) => {
          const rate = fees?.perByte[i];
          return (
            <div key={name}>
              <dt>{name}</dt>
              <dd class="value">
                {rate === undefined ? '–' : `${format.smallXmr(rate * USUAL_WEIGHT)} XMR`}
              </dd>
              <dd class="more">
                {rate === undefined ? '' : `${format.smallXmr(rate * BYTES_PER_KB)} per kB`}
              </dd>
            </div>
          );
        })}
      </dl>
    </Section>
  );
}
