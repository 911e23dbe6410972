/** What libp2p takes for granted and Node.js has only from version 22 on. */
interface Runtime {
  Promise: {
    withResolvers?: () => {
      promise: Promise<unknown>;
      resolve: (value: unknown) => void;
      reject: (reason: unknown) => void;
    };
  };
  WebSocket?: unknown;
}

/** Gives libp2p what an older runtime lacks. To be called before libp2p is loaded. */
export async function completeRuntime(): Promise<void> {
  const runtime = globalThis as unknown as Runtime;
  runtime.Promise.withResolvers ??= () => {
    let resolve: (value: unknown) => void = () => {};
    let reject: (reason: unknown) => void = () => {};
    const promise = new Promise((onResolve, onReject) => {
      resolve = onResolve;
      reject = onReject;
    });
    return { promise, resolve, reject };
  };
  runtime.WebSocket ??= (await import('ws')).WebSocket;
}
