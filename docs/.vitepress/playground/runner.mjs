// Runs programs in the frame of the playground: a document without an origin, which reaches neither the site nor its storage. The script that
// tools/docs/playground.mjs makes calls it with the packages that programs may import.

/** Lines and characters of a program that are shown; it may print without an end. */
const MOST_LINES = 2000;
const MOST_CHARACTERS = 200_000;

/** Returns a value as text, as a console would print it: bytes as hex, large integers with their n. */
function textOf(value) {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Error) return String(value);
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol')
    return String(value);
  return JSON.stringify(value, replacer, 2);
}

function replacer(_name, value) {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Uint8Array) return Array.from(value, hexOf).join('');
  if (value instanceof Map || value instanceof Set) return [...value];
  return value;
}

const hexOf = (byte) => byte.toString(16).padStart(2, '0');

/** Lets programs import the packages by their names. Each name leads to a module that has the exports of the package. */
function nameModules(packages) {
  const key = 'moneroNodePackages';
  globalThis[key] = packages;
  const imports = Object.entries(packages).map(([name, exports]) => {
    const names = Object.keys(exports).filter((each) => each !== 'default');
    const source = `export const { ${names.join(', ')} } = globalThis.${key}[${JSON.stringify(name)}];`;
    return [name, `data:text/javascript,${encodeURIComponent(source)}`];
  });
  const map = document.createElement('script');
  map.type = 'importmap';
  map.textContent = JSON.stringify({ imports: Object.fromEntries(imports) });
  document.head.append(map);
}

/** Sends what a program prints to the page. */
function sendPrinted(send) {
  let lines = 0;
  let characters = 0;
  const print = (values) => {
    if (lines > MOST_LINES || characters > MOST_CHARACTERS) return;
    const text = values.map(textOf).join(' ').slice(0, MOST_CHARACTERS);
    lines += text.split('\n').length;
    characters += text.length;
    const isTooMuch = lines > MOST_LINES || characters > MOST_CHARACTERS;
    send({ kind: 'line', text: isTooMuch ? `${text}\n… and more` : text });
  };
  for (const name of ['log', 'info', 'warn', 'error', 'debug'])
    console[name] = (...values) => print(values);
}

/** Waits for one program from the page that holds this frame, runs it, and tells what it prints and how it ends. */
export function runPrograms(packages) {
  const send = (message) => parent.postMessage(message, '*');
  nameModules(packages);
  sendPrinted(send);
  const fail = (error) => send({ kind: 'end', error: String(error) });
  addEventListener('error', ({ error, message }) => fail(error ?? message));
  addEventListener('unhandledrejection', ({ reason }) => fail(reason));
  addEventListener('message', async ({ source, data }) => {
    if (source !== parent || typeof data?.program !== 'string') return;
    const url = URL.createObjectURL(new Blob([data.program], { type: 'text/javascript' }));
    try {
      await import(url);
      send({ kind: 'end' });
    } catch (error) {
      fail(error);
    }
  });
  send({ kind: 'ready' });
}
