import { maxSortKeys } from '../../../kernel/limits/lists.ts'
import type { ErrorList } from '../../../tables/tables/error-list.ts'
import { defaultOrder, type SortKey } from '../read/order.ts'
import { idField } from './field.ts'
import { type FieldNames, resolveAsked } from './resolve-field.ts'

/**
 * Parses `sort`: names, `-` for descending; default: newest first. `id` is always the last key; unless given, it has
 * the direction of the key before it, so that one index serves both.
 */
export function parseSort(
  sort: readonly string[] | undefined,
  fieldNames: FieldNames,
  list: ErrorList,
): readonly SortKey[] {
  const given = (sort ?? []).map((name) => name.trim()).filter((name) => name !== '')
  if (given.length > maxSortKeys) list.add('sort', `The sort may not have more than ${maxSortKeys} keys.`)
  const keys = new Map<string, SortKey>()
  for (const text of given) {
    const descending = text.startsWith('-')
    if (text === '-') {
      list.add('sort', 'The sort has a - without a name. Write it before a field, such as -id.')
      continue
    }
    const resolved = resolveAsked(fieldNames, descending ? text.slice(1) : text)
    const [, word, direction] = /^(\S+)\s+(asc|desc)$/i.exec(text) ?? []
    if ('error' in resolved)
      list.add(
        'sort',
        direction === undefined
          ? resolved.error
          : `Write ${direction.toLowerCase() === 'desc' ? '-' : ''}${word} for ${text}.`,
      )
    else if (!keys.has(resolved.field.path)) keys.set(resolved.field.path, { field: resolved.field, descending })
    if (keys.has('id')) break
  }
  const order = [...keys.values()]
  if (order.length === 0) return defaultOrder
  return keys.has('id') ? order : [...order, { field: idField, descending: order.at(-1)?.descending === true }]
}
