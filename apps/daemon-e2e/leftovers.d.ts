export function startTicks(pid: number): string | undefined;
export function killLeftovers(home: string): number;
