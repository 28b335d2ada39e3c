import { maxColumnCharacters } from '../../kernel/limits/lists.ts'
import { cutText, isLongColumn, longColumn } from './column-values.ts'
import type { LogRow } from './log-entry.ts'
import type { Value } from './scalar.ts'

/** The columns in which one of the rows has a value. */
export function columnsOfRows(rows: readonly LogRow[]): Set<string> {
  const columns = new Set<string>()
  for (const { values } of rows) {
    for (const [column, value] of values) {
      columns.add(column)
      if (isLong(value)) columns.add(longColumn(column))
    }
  }
  return columns
}

/** The value that a row gives a column: texts are cut, and those too long stand whole in the long column. */
export function valueIn({ values }: LogRow, column: string): Value {
  if (isLongColumn(column)) {
    const whole = values.get(column.slice(0, -1)) ?? null
    return isLong(whole) ? whole : null
  }
  const value = values.get(column) ?? null
  return typeof value === 'string' ? cutText(value) : value
}

const isLong = (value: Value): boolean => typeof value === 'string' && value.length > maxColumnCharacters
