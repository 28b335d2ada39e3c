import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recordLines } from '../../../../../shared/import-export/export/record-lines.ts'

const table = {
  table_fields: [
    { name: 'title', type: 'text' },
    { name: 'amount', type: 'float' },
  ],
} as never
const record = (title: unknown, amount: unknown = null) => ({
  id: 1,
  created_by: 2,
  created_at: 'c',
  updated_by: 3,
  updated_at: 'u',
  version: 4,
  data: { title, amount },
})

describe('records as CSV', () => {
  it('have a column for every field and the standard ones, id first', () => {
    expect(recordLines('csv', table, null, undefined).head).toBe(
      'id,title,amount,created_by,created_at,updated_by,updated_at,version\r\n',
    )
    expect(recordLines('csv', table, null, undefined).lines([record('x', -1.5)])).toBe('1,x,-1.5,2,c,3,u,4\r\n')
  })

  it('have the selected columns, once each, in their order', () => {
    const writer = recordLines('csv', table, ['amount', ' id', 'owner.name', 'amount', 'version'], undefined)
    expect(writer.head).toBe('id,amount,owner.name,version\r\n')
    expect(writer.lines([{ ...record('x', 2), expanded: { owner: { id: 7, name: 'Ada' } } }])).toBe('1,2,Ada,4\r\n')
    expect(writer.lines([{ ...record('x', 2), expanded: { owner: null } }])).toBe('1,2,,4\r\n')
  })

  it('have no column for a field that the reader may not see, asked for or not', () => {
    const readable = new Set(['title'])
    expect(recordLines('csv', table, null, readable).head).toBe(
      'id,title,created_by,created_at,updated_by,updated_at,version\r\n',
    )
    expect(recordLines('csv', table, ['amount', 'title', 'version'], readable).head).toBe('id,title,version\r\n')
  })

  it.each([['=1+1'], ['+49 30'], ['-x'], ['@sum'], ['\tx'], ['＝1']])('prefix %j with an apostrophe', (text) => {
    expect(parse(recordLines('csv', table, ['title'], undefined).lines([record(text)]))[0]?.[1]).toBe(`'${text}`)
  })

  it('are read back unchanged by an RFC 4180 parser', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((text) => text !== '' && !/^[=+\-@\t\r＝＋－＠]/.test(text)),
        (text) => {
          expect(
            parse(recordLines('csv', table, ['title'], undefined).lines([record(text)]), { record_delimiter: '\r\n' }),
          ).toEqual([['1', text]])
        },
      ),
    )
  })
})

it('records as NDJSON are one per line', () => {
  expect(
    recordLines('ndjson', table, null, undefined)
      .lines([record('two\nlines'), record('x')])
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).data.title),
  ).toEqual(['two\nlines', 'x'])
})
