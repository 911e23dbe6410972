// At SIGUSR1, Node opens its debugger to every local process, unless the program has a listener. The daemon reopens its log
// instead, see run-daemon.ts; this listener counts until then.
process.on('SIGUSR1', () => undefined);
