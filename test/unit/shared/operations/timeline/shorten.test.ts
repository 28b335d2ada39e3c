import { expect, it } from 'vitest'
import { shorten } from '../../../../../shared/operations/timeline/timeline-source.ts'

it('leaves data alone that is small as a whole', () => {
  const data = { body: 'x'.repeat(15_000) }
  expect(shorten(data)).toEqual({ data, isShortened: false })
})

it('cuts long texts and lists of large data, at any depth, between whole characters', () => {
  const { data, isShortened } = shorten({
    id: 7,
    changes: {
      note: { old: null, new: `${'x'.repeat(499)}😀${'y'.repeat(20_000)}` },
      tags: { new: Array(80).fill('z') },
    },
  })
  expect(isShortened).toBe(true)
  expect(data).toEqual({
    id: 7,
    changes: { note: { old: null, new: `${'x'.repeat(499)}\uFFFD…` }, tags: { new: Array(50).fill('z') } },
  })
})
