import { exampleBlock, exampleId } from '../testing/example-block.ts';
import { ChainState, NotContinuousError } from './chain-state.ts';
import type { ChainHandler, Position } from './handlers.ts';

/** Remembers positions, as an application would. */
class Memory implements ChainHandler {
  readonly positions: Position[] = [];
  tip(): Promise<Position | undefined> {
    return Promise.resolve(this.positions.at(-1));
  }
  apply(_: unknown, position: Position): Promise<void> {
    this.positions.push(position);
    return Promise.resolve();
  }
  revert(): Promise<void> {
    this.positions.pop();
    return Promise.resolve();
  }
}

let memory: Memory;
let state: ChainState;
beforeEach(async () => {
  memory = new Memory();
  state = new ChainState(memory);
  await state.load();
});

test('blocks are applied at a flush, with the sequences of their messages', async () => {
  await state.add(exampleBlock(5), undefined);
  await state.add(exampleBlock(6), 40);
  expect(memory.positions).toEqual([]);
  await state.flush();
  expect(memory.positions).toEqual([
    { height: 5, id: exampleId(5), sequence: undefined },
    { height: 6, id: exampleId(6), sequence: 40 },
  ]);
});

test('a removal applies what was before it', async () => {
  await state.add(exampleBlock(5), 1);
  await state.add(exampleBlock(6), 2);
  await state.remove({ height: 6, id: exampleId(6), prev_id: exampleId(5) }, 3);
  expect(memory.positions.map(({ height }) => height)).toEqual([5]);
  expect(state.tip).toEqual({ height: 5, id: exampleId(5), sequence: 3 });
});

test('what does not continue the chain is refused', async () => {
  await state.add(exampleBlock(5), 1);
  await expect(state.add(exampleBlock(5), 2)).rejects.toThrow(NotContinuousError);
  await expect(state.add(exampleBlock(7), 2)).rejects.toThrow(NotContinuousError);
  const other = { height: 5, id: exampleId(9), prev_id: exampleId(4) };
  await expect(state.remove(other, 2)).rejects.toThrow(NotContinuousError);
});
