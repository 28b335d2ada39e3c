import { describe, expect, it } from 'vitest'
import { maxFilesOfMerge, maxFilesPerField } from '../../../../../../shared/kernel/limits/records.ts'
import type { WorkDependencies } from '../../../../../../shared/operations/batches/dependencies.ts'
import { fillFields } from '../../../../../../shared/operations/batches/merge/fill-fields.ts'
import type { StoredRecord } from '../../../../../../shared/records/records/record-item.ts'
import { tableOf } from '../../../../../make/builders/lists/query-records.ts'
import { administrator } from '../../../../../make/builders/records/record-dependencies.ts'

const tickets = tableOf(101, 'tickets', [
  { name: 'title', type: 'text' },
  { name: 'pictures', type: 'file', multiple: true },
  { name: 'letters', type: 'file', multiple: true },
  { name: 'scan', type: 'file' },
])
const paths = (name: string, count: number) => Array.from({ length: count }, (_, n) => `uploads/${name}-${n}.png`)
const fill = (given: object, held: object) =>
  fillFields(
    { files: { check: async () => ({}) } } as unknown as WorkDependencies,
    administrator,
    tickets,
    { id: 1, data: given } as StoredRecord,
    { id: 2, data: held } as StoredRecord,
  )

describe('the fields of a record that another is merged into', () => {
  it('are filled where they are empty', async () => {
    expect(await fill({ title: 'Printer', scan: 'uploads/a.png' }, { title: 'Toner', scan: null })).toEqual({
      values: { scan: 'uploads/a.png' },
      notFilled: [],
      files: 1,
    })
  })

  it('have the files of both, each once; a field of one file keeps its own', async () => {
    const [a, b, c] = paths('x', 3)
    expect(
      await fill({ pictures: [a, b], scan: 'uploads/a.png' }, { pictures: [b, c], scan: 'uploads/b.png' }),
    ).toEqual({
      values: { pictures: [b, c, a] },
      notFilled: [],
      files: 1,
    })
  })

  it('take as many files as one write takes, and name the fields beyond that', async () => {
    const all = paths('p', maxFilesOfMerge)
    expect(await fill({ pictures: all }, {})).toMatchObject({ values: { pictures: all }, files: maxFilesOfMerge })
    expect(await fill({ pictures: all, letters: paths('l', 1) }, {})).toEqual({
      values: { pictures: all },
      notFilled: ['letters'],
      files: maxFilesOfMerge,
    })
  })

  it('hold as many files as a field may, and are named when they would hold more', async () => {
    const held = paths('h', maxFilesPerField - 1)
    expect(await fill({ pictures: paths('p', 1) }, { pictures: held })).toMatchObject({ notFilled: [], files: 1 })
    expect(await fill({ pictures: paths('p', 2) }, { pictures: held })).toEqual({
      values: {},
      notFilled: ['pictures'],
      files: 0,
    })
  })
})
