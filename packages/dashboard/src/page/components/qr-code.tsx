import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { qrCode } from '../qr/qr-code.ts';

/** Light modules that a reader needs around a code. */
const QUIET = 4;

/** A QR code, dark on white in every theme; nothing for a text that is too long for one. */
export function QrCode(props: {
  readonly text: string;
  readonly label: string;
}): JSX.Element | null {
  const { text, label } = props;
  const modules = useMemo(() => qrCode(text), [text]);
  if (modules === undefined) return null;
  const size = modules.length + 2 * QUIET;
  const path = modules
    .flatMap((row, y) =>
      row.map((isDark, x) => (isDark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : '')),
    )
    .join('');
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} shape-rendering="crispEdges" />
    </svg>
  );
}
