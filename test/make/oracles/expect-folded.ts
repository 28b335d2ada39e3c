import { expect } from 'vitest'
import type { LogRow } from '../../../shared/lists/columns/log-entry.ts'
import { searchedTable } from '../builders/lists/kept-columns.ts'
import { expectedColumns, expectedWords, livingIn, type readColumnItems } from './column-oracle.ts'

/** Everything is folded, and as told. `read`: the items of the column index as they are. */
export async function expectFolded(
  read: () => ReturnType<typeof readColumnItems>,
  rows: readonly LogRow[],
  table = searchedTable(),
) {
  const found = await read()
  const expected = expectedColumns(rows, found.manifest.leftOut)
  expect(found.folded).toEqual(expected)
  expect(found.manifest.live).toBe(livingIn(expected))
  expect(found.words).toEqual(expectedWords(table, expected))
  expect(found.orphans).toEqual([])
  return found
}
