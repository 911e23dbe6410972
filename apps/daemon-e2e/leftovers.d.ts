export function startTicks(pid: number): string | undefined;
export function processFolder(home: string, worker?: string): string;
export function killLeftovers(home: string): number;
export function killLeftoversIn(folder: string): number;
