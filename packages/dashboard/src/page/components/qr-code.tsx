import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import qrcode from 'qrcode-generator';

/** Light modules that a reader needs around a code. */
const QUIET = 4;
/** Of level M up to a seventh may be covered. */
const LEVEL = 'M';
/** Characters of the longest address, which is 253 long, and of what stands around it. */
const LONGEST = 300;

/** Returns the path of the dark modules, one wide, and the modules of a side; the quiet zone is around them. */
function drawn(text: string): { readonly path: string; readonly size: number } {
  const code = qrcode(0, LEVEL);
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  let path = '';
  for (let y = 0; y < count; y++) {
    for (let x = 0; x < count; x++) {
      if (code.isDark(y, x)) path += `M${x + QUIET} ${y + QUIET}h1v1h-1z`;
    }
  }
  return { path, size: count + 2 * QUIET };
}

/** A QR code of a text in ASCII, dark on white in every theme; nothing for a text that is longer than any address. */
export function QrCode(props: {
  readonly text: string;
  readonly label: string;
}): JSX.Element | null {
  const { text, label } = props;
  const code = useMemo(() => (text.length <= LONGEST ? drawn(text) : undefined), [text]);
  if (code === undefined) return null;
  return (
    <svg class="qr" viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label={label}>
      <path d={code.path} shape-rendering="crispEdges" />
    </svg>
  );
}
