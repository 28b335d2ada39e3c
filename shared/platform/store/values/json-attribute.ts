import type { Item } from './marshal.ts'

/**
 * Parses an attribute of JSON text. `T` is what the item's codec writes there; the text is our own, so it is not
 * validated. Throws a SyntaxError that names the item when the attribute is missing or not JSON.
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

/** The same for an attribute that may be null. */
export const readJsonOrNull = <T>(item: Item, name: string): T | null =>
  item[name] === null ? null : readJson<T>(item, name)

/** The error for an attribute that cannot be parsed. */
export const unreadable = ({ kind, pk, sk }: Item, name: string, cause?: unknown): SyntaxError =>
  new SyntaxError(
    `The attribute ${name} of the item ${String(kind)} at ${String(pk)} / ${String(sk)} is missing or not JSON.`,
    {
      cause,
    },
  )
