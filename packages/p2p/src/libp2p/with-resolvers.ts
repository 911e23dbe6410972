/** The part of ES2024 that libp2p takes for granted and Node.js 20 lacks. */
interface PromiseWithResolvers {
  withResolvers?: () => {
    promise: Promise<unknown>;
    resolve: (value: unknown) => void;
    reject: (reason: unknown) => void;
  };
}

/** Gives `Promise.withResolvers` to a runtime that has not got it. Called before libp2p is loaded. */
export function provideWithResolvers(): void {
  const constructor = Promise as unknown as PromiseWithResolvers;
  constructor.withResolvers ??= () => {
    let resolve: (value: unknown) => void = () => {};
    let reject: (reason: unknown) => void = () => {};
    const promise = new Promise((onResolve, onReject) => {
      resolve = onResolve;
      reject = onReject;
    });
    return { promise, resolve, reject };
  };
}
