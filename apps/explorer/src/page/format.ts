import { html, type Html } from './html.ts';

const ATOMIC_UNITS = 12;
const FEWEST_DECIMALS = 2;

/** Returns a whole number with commas between the thousands. */
export function count(value: number | bigint): string {
  return value.toLocaleString('en');
}

/** Returns an amount of atomic units (decimal digits) in XMR, exact, with two decimals or more. */
export function exactXmr(amount: string): string {
  const digits = amount.padStart(ATOMIC_UNITS + 1, '0');
  const whole = digits.slice(0, -ATOMIC_UNITS);
  const decimals = digits.slice(-ATOMIC_UNITS).replace(/0+$/, '').padEnd(FEWEST_DECIMALS, '0');
  return `${count(BigInt(whole))}.${decimals}`;
}

/** Returns an amount of atomic units in XMR with four decimals, for where there is little room. */
export function shortXmr(amount: string): string {
  return (Number(amount) / 1e12).toLocaleString('en', {
    minimumFractionDigits: 4,
    maximumFractionDigits: 4,
  });
}

/** Returns a fee by weight in nanonero per byte: billionths of an XMR. */
export function feeRate(fee: string, weight: number): number {
  return Number(fee) / Math.max(weight, 1) / 1000;
}

/** Returns a fee by weight with its unit. */
export function shownRate(fee: string, weight: number): string {
  const rate = feeRate(fee, weight);
  return `${rate.toLocaleString('en', { maximumFractionDigits: rate < 10 ? 1 : 0 })} nXMR/B`;
}

/** Returns a weight in kilobytes. */
export function kilobytes(weight: number): string {
  return `${(weight / 1000).toLocaleString('en', { maximumFractionDigits: 1 })} kB`;
}

/** Returns a large number with a letter for its size, such as 1.2 M. */
export function compact(value: string): string {
  return Number(value).toLocaleString('en', { notation: 'compact', maximumFractionDigits: 2 });
}

/** Returns a time that the script of the page keeps saying in words; without it, in UTC. Never throws. */
export function time(seconds: number): Html {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return html`${seconds}`;
  const iso = date.toISOString();
  const utc = iso.slice(0, 19).replace('T', ' ');
  return html`<time datetime="${iso}" data-at="${seconds}" title="${utc} UTC">${utc}</time>`;
}

/** Returns a hash that is shortened by the style of the page where it does not fit, with its end in sight. */
export function hash(hex: string, path?: string): Html {
  const head = hex.slice(0, -8);
  const tail = hex.slice(-8);
  const parts = html`<span class="head">${head}</span><span>${tail}</span>`;
  return path === undefined
    ? html`<span class="hash">${parts}</span>`
    : html`<a class="hash" href="${path}${hex}">${parts}</a>`;
}
