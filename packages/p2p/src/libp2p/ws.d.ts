/** The one thing used of it; it comes without types. */
declare module 'ws' {
  export const WebSocket: unknown;
}
