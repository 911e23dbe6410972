import type { ByteSink } from './byte-sink.ts';
import { ARRAY_FLAG, STORAGE_SIGNATURE } from './format.ts';
import type { Kind, Table } from './kinds.ts';
import { checkedList, CountedList, FieldValueError, isLazy, membersOf } from './members.ts';
import { putSize } from './put.ts';
import { isObject, objectOf, putSection, RenderedObject, sentMembers } from './put-section.ts';
import { putValue, typeId } from './put-value.ts';
import { ITEMS_PER_STEP, OBJECTS_PER_STEP, type Writing } from './writing.ts';

/**
 * Writes an object as a portable storage document, with the same bytes as monerod: entries in byte order of
 * their names, sizes in the smallest form, lists without items left out. Stops between list items, so that a
 * long document does not hold up the process, and takes lazy lists; `encodeMessage` is faster for short ones.
 * Throws FieldValueError for a value that its field can't hold.
 * Source: contrib/epee/include/storages/portable_storage_to_bin.h.
 */
export function* writeStorage(sink: ByteSink, table: Table, value: unknown): Writing {
  sink.bytes(STORAGE_SIGNATURE);
  yield* writeSection(sink, table, value);
}

function* writeSection(sink: ByteSink, table: Table, value: unknown): Writing {
  if (!table.hasLists || value instanceof RenderedObject) {
    putSection(sink, table, value);
    return;
  }
  const members = sentMembers(table, yield* withoutLazyLists(value));
  putSize(sink, members.length);
  for (const { wireName, kind, value: member } of members) {
    sink.bytes(wireName);
    if (kind.kind === 'array') {
      if (member instanceof CountedList) yield* writeCounted(sink, kind.of, member);
      else yield* writeArray(sink, kind.of, checkedList(member));
    } else {
      sink.u8(typeId(kind));
      if (isObject(kind)) yield* writeSection(sink, kind.table, objectOf(kind, member));
      else putValue(sink, kind, member);
    }
  }
}

function* writeArray(sink: ByteSink, of: Kind, items: readonly unknown[]): Writing {
  sink.u8(ARRAY_FLAG | typeId(of));
  putSize(sink, items.length);
  for (let i = 0; i < items.length; i++) {
    if (isObject(of) && of.table.hasLists) {
      yield* writeSection(sink, of.table, objectOf(of, items[i]));
      yield undefined;
    } else if (isObject(of)) {
      putSection(sink, of.table, objectOf(of, items[i]));
      if (i % OBJECTS_PER_STEP === 0) yield undefined;
    } else {
      putValue(sink, of, items[i]);
      if (i % ITEMS_PER_STEP === 0) yield undefined;
    }
  }
}

function* writeCounted(sink: ByteSink, of: Kind, list: CountedList<unknown>): Writing {
  sink.u8(ARRAY_FLAG | typeId(of));
  putSize(sink, list.length);
  const iterator = list[Symbol.asyncIterator]();
  for (let i = 0; i < list.length; i++) {
    const next = (yield iterator.next()) as IteratorResult<unknown>;
    if (next.done === true) throw new FieldValueError(`list of ${list.length} items`, i);
    if (isObject(of)) yield* writeSection(sink, of.table, objectOf(of, next.value));
    else putValue(sink, of, next.value);
    yield undefined;
  }
}

type Waiting<T> = Generator<Promise<unknown> | undefined, T, unknown>;

/** Returns the members of an object with every lazy list of unknown length read to its end: the count comes first. */
function* withoutLazyLists(value: unknown): Waiting<Readonly<Record<string, unknown>>> {
  const given = membersOf(value);
  const lazy = Object.entries(given).filter(
    ([, member]) => isLazy(member) && !(member instanceof CountedList),
  );
  if (lazy.length === 0) return given;
  const members = { ...given };
  for (const [name, list] of lazy) members[name] = yield* collect(list as AsyncIterable<unknown>);
  return members;
}

function* collect(items: AsyncIterable<unknown>): Waiting<unknown[]> {
  const iterator = items[Symbol.asyncIterator]();
  const collected: unknown[] = [];
  for (;;) {
    const next = (yield iterator.next()) as IteratorResult<unknown>;
    if (next.done === true) return collected;
    collected.push(next.value);
  }
}
