let second = NaN;
let text = '';

/** Returns the current date as HTTP headers have it, such as `Sun, 06 Nov 1994 08:49:37 GMT`. It is made once a second. */
export function httpDate(now: number = Date.now()): string {
  const current = Math.floor(now / 1000);
  if (current !== second) {
    second = current;
    text = new Date(current * 1000).toUTCString();
  }
  return text;
}
