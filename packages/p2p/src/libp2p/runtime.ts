/** Globals that libp2p requires and Node.js has only since version 22. */
interface Runtime {
  Promise: {
    withResolvers?: () => {
      promise: Promise<unknown>;
      resolve: (value: unknown) => void;
      reject: (reason: unknown) => void;
    };
  };
}

/** Adds the globals that libp2p requires and an older Node.js lacks. Call it before libp2p is loaded. */
export function completeRuntime(): void {
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
}
