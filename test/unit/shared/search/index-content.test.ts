import { describe, expect, it } from 'vitest'
import { indexContent } from '../../../../shared/search/index-content.ts'
import { tableWith } from '../../../make/builders/indexed-records.ts'

const tokens = (table: Parameters<typeof indexContent>[0], data: object) =>
  Object.fromEntries(indexContent(table, data as Record<string, unknown>).tokens)

describe('the indexed words of a record', () => {
  const table = tableWith([
    { name: 'note', type: 'textarea' },
    { name: 'title', type: 'text' },
    { name: 'code', type: 'text' },
    { name: 'hidden', type: 'text', searchable: false },
  ])

  it('are weighted by field and number of occurrences', () => {
    expect(tokens(table, { title: 'a', code: 'b', note: 'c c c c' })).toEqual({ a: 80, b: 30, c: 30 })
    expect(tokens(table, { title: 'a', code: 'a', note: 'a a' })).toEqual({ a: 130 })
  })

  it('are forty at most, those of the title first', () => {
    const many = (start: string) => Array.from({ length: 30 }, (_, at) => `${start}${at}`).join(' ')
    const kept = Object.keys(tokens(table, { note: many('n'), title: many('t') }))
    expect(kept).toHaveLength(40)
    expect(kept.filter((token) => token.startsWith('t'))).toHaveLength(30)
  })

  it('come from searchable text only', () => {
    expect(tokens(table, { hidden: 'secret', title: 7 })).toEqual({})
  })
})
