import { describe, expect, it } from 'vitest'
import { Invalid, Malformed } from '../../../../../../shared/kernel/failures/faults.ts'
import { maxImportRows } from '../../../../../../shared/kernel/limits/imports.ts'
import { readNdjson } from '../../../../../../shared/operations/import-export/import/read-ndjson.ts'

const read = (text: string) => readNdjson(Buffer.from(text))

describe('NDJSON', () => {
  it('is a JSON value a line, with any line ends and empty lines', async () => {
    expect(await read('{"title":"a"}\r\n\n{"title":"b\\nc"}\n7')).toEqual({
      rows: [{ title: 'a' }, { title: 'b\nc' }, 7],
    })
    expect(await read('')).toEqual({ rows: [] })
  })

  it('names the line that is no JSON', async () => {
    const fault = await read('{"title":"a"}\n\n{title}\n').catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(Malformed)
    expect((fault as Malformed).message).toMatch(/^Line 3 is not valid JSON: /)
  })

  it('has at most as many lines as an import has rows', async () => {
    await expect(read('{}\n'.repeat(maxImportRows + 1))).rejects.toBeInstanceOf(Invalid)
    expect((await read('{}\n'.repeat(maxImportRows))).rows).toHaveLength(maxImportRows)
  })

  it.each(['[', '{"a":'])(
    'is not parsed where %s is nested without end: writing it would end the stack',
    async (open) => {
      const close = open === '[' ? ']' : '}'
      const line = (depth: number): string => `{"a":${open.repeat(depth)}1${close.repeat(depth)}}\n`
      await expect(read(line(9_000))).rejects.toMatchObject({ errors: expect.anything() })
      expect((await read(line(100))).rows).toHaveLength(1)
    },
  )
})
