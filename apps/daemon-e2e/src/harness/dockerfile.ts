/** One instruction of a Dockerfile. */
export interface Instruction {
  /** In capitals. */
  readonly name: string;
  /** Everything after the name, with continued lines joined. */
  readonly text: string;
}

/** From one `FROM` to the next. */
export interface Stage {
  readonly image: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

/** Reads the stages of a Dockerfile without heredocs. Throws Error for a line that is no instruction. */
export function parseDockerfile(content: string): Stage[] {
  const lines = content
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n');
  const stages: { image: string; name: string | undefined; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name, text] = /^([A-Za-z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === undefined || text === undefined) throw new Error(`no instruction: ${line}`);
    if (name.toUpperCase() === 'FROM') {
      const [image = '', , stage] = text.split(/\s+/);
      stages.push({ image, name: stage, instructions: [] });
    } else {
      stages.at(-1)?.instructions.push({ name: name.toUpperCase(), text });
    }
  }
  return stages;
}
