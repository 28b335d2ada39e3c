import type { Item } from './marshal.ts'

/**
 * The value of an attribute that holds JSON text. `T` is what the item's codec writes there: the text is ours, so it is not
 * validated. Throws a SyntaxError that names the item when the attribute is missing or is not JSON.
 */
export function readJson<T>(item: Item, name: string): T {
  const text = item[name]
  if (typeof text !== 'string') throw unreadable(item, name)
  try {
    return JSON.parse(text) as T
  } catch (cause) {
    throw unreadable(item, name, cause)
  }
}

/** The same for an attribute that is null where there is no value. */
export const readJsonOrNull = <T>(item: Item, name: string): T | null =>
  item[name] === null ? null : readJson<T>(item, name)

/** Says which attribute of which item cannot be read. */
export const unreadable = ({ kind, pk, sk }: Item, name: string, cause?: unknown): SyntaxError =>
  new SyntaxError(
    `The attribute ${name} of the item ${String(kind)} at ${String(pk)} / ${String(sk)} is missing or not JSON.`,
    {
      cause,
    },
  )
