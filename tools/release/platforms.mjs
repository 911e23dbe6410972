// The processors that Linux releases are made for.

export const PROCESSORS = ['x64', 'arm64'];
/** Names of a processor in GNU's tools, in Debian, and the path of glibc's loader, which all programs name. */
export const TRIPLETS = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };
export const DEBIAN = { x64: 'amd64', arm64: 'arm64' };
export const LOADERS = { x64: '/lib64/ld-linux-x86-64.so.2', arm64: '/lib/ld-linux-aarch64.so.1' };

/** Returns the command of a compiler, `gcc` or `g++`, for a processor. */
export const compilerFor = (processor, language) => `${TRIPLETS[processor]}-${language}`;
