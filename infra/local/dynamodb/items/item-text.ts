/**
 * Items as storage holds them: JSON of all attributes that are no index keys (the head), a line break, then the index
 * keys. Most reads project the index keys away and so parse a third of an item. A text without a line break is parsed
 * whole.
 */

import type { Expression, Operand, ValidRequest } from '../dynalite.ts'
import type { Table } from '../tables/table.ts'
import type { Item } from './attribute-value.ts'

const lineBreak = '\n'

export function itemText(table: Table, item: Item): string {
  const head: Item = {}
  const tail: Item = {}
  let isSplit = false
  for (const name in item) {
    const isTail = table.indexKeyNames.has(name)
    isSplit ||= isTail
    // Assigning this name to a plain object would set its prototype.
    if (name === '__proto__') return JSON.stringify(item)
    ;(isTail ? tail : head)[name] = item[name]!
  }
  return isSplit
    ? `${JSON.stringify(head).slice(0, -1)}${lineBreak},${JSON.stringify(tail).slice(1)}`
    : JSON.stringify(item)
}

/** The item without its index keys. */
export function parseHead(text: string): Item {
  const end = text.indexOf(lineBreak)
  return JSON.parse(end < 0 ? text : `${text.slice(0, end)}}`) as Item
}

/**
 * Picks attributes from the text of an item whose attributes are all strings, without parsing the others. Undefined
 * when one is missing. A quoted name occurs only once: quotes inside a string are escaped.
 */
export function textsOf(text: string, names: readonly string[]): Item | undefined {
  const item: Item = {}
  for (const name of names) {
    const start = `"${name}":{"S":"`
    const at = text.indexOf(start)
    if (at < 0) return undefined
    item[name] = { S: textAt(text, at + start.length) }
  }
  return item
}

/** The string that starts at `from`, after its quote. */
function textAt(text: string, from: number): string {
  let end = text.indexOf('"', from)
  const value = text.slice(from, end)
  if (!value.includes('\\')) return value
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return JSON.parse(text.slice(from - 1, end + 1)) as string
}

/** Whether an odd number of backslashes precedes this position. */
function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === '\\') first -= 1
  return (at - first) % 2 === 1
}

/** Whether a request reads the head of items only. */
export function needsHeadOnly(
  { indexKeyNames }: Table,
  { _projection, _filter, QueryFilter, ScanFilter }: ValidRequest,
): boolean {
  if (!_projection || QueryFilter || ScanFilter) return false
  const isHead = (root: string | number | undefined): boolean => !indexKeyNames.has(String(root))
  return _projection.paths.every(([root]) => isHead(root)) && (!_filter || rootsOf(_filter.expression).every(isHead))
}

/** The top-level attributes an expression names. */
const rootsOf = ({ args }: Expression): Array<string | number | undefined> =>
  args.flatMap((operand: Operand) =>
    Array.isArray(operand) ? [operand[0]] : 'type' in operand ? rootsOf(operand) : [],
  )
