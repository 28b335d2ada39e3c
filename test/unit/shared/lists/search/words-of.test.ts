import { describe, expect, it } from 'vitest'
import { searchedColumns, wordConfig, wordsOf } from '../../../../../shared/lists/search/words-of.ts'
import type { Field } from '../../../../../shared/tables/tables/schema.ts'

const tableWith = (table_fields: Field[], title_field: string | null = 'title') => ({ table_fields, title_field })
const note: Field = { name: 'note', type: 'textarea' }
const title: Field = { name: 'title', type: 'text' }
const code: Field = { name: 'code', type: 'text' }
const hidden: Field = { name: 'hidden', type: 'text', searchable: false }
const amount: Field = { name: 'amount', type: 'integer' }
const table = tableWith([note, title, code, hidden, amount])
const words = (data: Readonly<Record<string, unknown>>) => Object.fromEntries(wordsOf(table, (column) => data[column]))

describe('the words of a record', () => {
  it('are weighted by field and number of occurrences', () => {
    expect(words({ title: 'a', code: 'b', note: 'c c c c' })).toEqual({ a: 80, b: 30, c: 30 })
    expect(words({ title: 'a', code: 'a', note: 'a a' })).toEqual({ a: 130 })
  })

  it('are 250 at most, those of the title first', () => {
    const many = (start: string) => Array.from({ length: 200 }, (_, at) => `${start}${at}`).join(' ')
    const kept = Object.keys(words({ note: many('n'), title: many('t') }))
    expect(kept).toHaveLength(250)
    expect(kept.filter((word) => word.startsWith('t'))).toHaveLength(200)
  })

  it('come from searchable text only', () => {
    expect(words({ hidden: 'secret', title: 7, note: ['a'], amount: 7 })).toEqual({})
    expect(searchedColumns(table)).toEqual(['title', 'note', 'code'])
  })
})

describe('the configuration of words', () => {
  it('changes with the searched fields, their order and their weights, and with nothing else', () => {
    const configs = [
      table,
      tableWith([title, code]),
      tableWith([note, title, code], 'code'),
      tableWith([code, title, note]),
      tableWith([note, title, { ...code, type: 'textarea' }]),
    ].map(wordConfig)
    expect(new Set(configs).size).toBe(configs.length)
    expect(wordConfig(tableWith([amount, note, title, code]))).toBe(wordConfig(table))
  })
})
