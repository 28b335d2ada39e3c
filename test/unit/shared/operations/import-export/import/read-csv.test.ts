import { describe, expect, it } from 'vitest'
import { Invalid, Malformed } from '../../../../../../shared/kernel/failures/faults.ts'
import { maxImportRows } from '../../../../../../shared/kernel/limits/imports.ts'
import { readCsv } from '../../../../../../shared/operations/import-export/import/read-csv.ts'

const read = (text: string | Buffer) => readCsv(Buffer.from(text as string))
const rowsOf = async (text: string) => (await read(text)).rows

describe('a CSV file', () => {
  it('is read by RFC 4180: quotes, delimiters and line breaks in quotes, CRLF and LF, a BOM', async () => {
    expect(await rowsOf('\uFEFFtitle,note\r\n"a ""b"", c","two\nlines"\r\nd,e')).toEqual([
      { title: 'a "b", c', note: 'two\nlines' },
      { title: 'd', note: 'e' },
    ])
  })

  it('may have semicolons or tabs, as spreadsheets write them', async () => {
    expect(await rowsOf('title;note\na,b;c\n')).toEqual([{ title: 'a,b', note: 'c' }])
    expect(await rowsOf('title\tnote\na;b\tc\n')).toEqual([{ title: 'a;b', note: 'c' }])
  })

  it.each<[string, string]>([
    ['12" pipe', '12" pipe'],
    ['3" x 4"', '3" x 4"'],
    [' "a"', ' "a"'],
    ['"27"" disc"', '27" disc'],
    ['"""a"""', '"a"'],
    ['""""', '"'],
  ])('takes quotes within a text as they are: %s', async (cell, value) => {
    expect(await rowsOf(`k;n\n${cell};1\nb;2\n`)).toEqual([
      { k: value, n: '1' },
      { k: 'b', n: '2' },
    ])
  })

  it('leaves out empty cells and lines without text, and asks for its cells to be read by type', async () => {
    expect(await read('title,note\n\na,\n,\n , \n,b\n')).toEqual({
      rows: [{ title: 'a' }, { note: 'b' }],
      coerce: true,
    })
  })

  it('takes back the apostrophe of a text that looks like a formula', async () => {
    expect(await rowsOf("title\n'=1+1\n'tis\n")).toEqual([{ title: '=1+1' }, { title: "'tis" }])
  })

  it('takes any name as a name', async () => {
    const [row] = await rowsOf('__proto__,constructor\na,b\n')
    expect(Object.entries(row as object)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ])
  })

  it.each<[string, string]>([
    ['', 'The file is empty'],
    ['title,,note\n', 'Column 2 has no name'],
    ['title,note,title\n', 'The column title occurs twice'],
    ['title,note\na,b\nc\n', 'Line 3 of the file has 1 cells, and its first line 2.'],
    ['title\na,b\n', 'Line 2 of the file has 2 cells'],
    [`title\n${'a\n'.repeat(maxImportRows + 1)}`, `may not have more than ${maxImportRows} items`],
    [Array.from({ length: 1001 }, (_, n) => `f${n}`).join(','), 'more than 1000 columns'],
  ])('%j is refused with its place', async (text, message) => {
    const fault = await read(text.slice()).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(Invalid)
    expect(JSON.stringify((fault as Invalid).errors)).toContain(message)
  })

  it.each<[string, string | Buffer, string]>([
    ['UTF-16', Buffer.from('\uFEFFtitle\n', 'utf16le'), 'is UTF-16: save it as UTF-8'],
    ['Latin 1', Buffer.from('title\nKöln\n', 'latin1'), 'is not valid UTF-8'],
    ['an open quote', 'title\n"a\n', 'a quote is opened'],
    ['text behind a quote', 'title\nx\n"a"b\n', 'in line 3 a text stands behind a closing quote'],
    ['lines that a quote joins', 'title\n"a\nb\nc"d\n', 'in line 4 a text stands behind a closing quote'],
    ['quotes alone', `title\n${'"'.repeat(1001)}\n`, 'a quote is opened'],
  ])('with %s is malformed', async (_, bytes, message) => {
    const fault = await readCsv(Buffer.from(bytes as string)).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(Malformed)
    expect((fault as Malformed).message).toContain(message)
  })
})
