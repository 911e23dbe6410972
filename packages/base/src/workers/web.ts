interface WorkerScope {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  postMessage(message: unknown): void;
}

/** Takes the place of node.ts in browsers: the data that the worker was started with is its first message. */
export function serveJobs<Data, Job>(
  begin: (data: Data, send: (message: unknown) => void) => (job: Job) => unknown,
): void {
  const scope = globalThis as typeof globalThis & WorkerScope;
  scope.onmessage = ({ data: first }) => {
    const answer = begin(first as Data, (message) => scope.postMessage(message));
    scope.onmessage = ({ data: job }) => {
      const result = answer(job as Job);
      if (result !== undefined) scope.postMessage(result);
    };
  };
}
