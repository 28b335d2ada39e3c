import { describe, expect, it } from 'vitest'
import { columnTest } from '../../../../../../shared/lists/columns/predicate.ts'
import { TextsVector } from '../../../../../../shared/lists/columns/vector/texts.ts'
import { vectorOf } from '../../../../../../shared/lists/columns/vector/vector-of.ts'

describe('texts', () => {
  const words = ['queue', 'quay', 'lamp', 'Jam', 'aqua', 'qu', 'zebra', '']
  const titles = Array.from({ length: 9000 }, (_, i) =>
    i % 11 === 0 ? null : `${words[i % 8]} ${words[(i * 7) % 5]}${words[(i * 3) % 8]} ${i % 97} ${i}`,
  )

  it.each(['qu', 'aqu', 'ueue 9', 'jam', 'Jam q', 'mp qu', 'a zebra', 'z', 'brax', '96 quay', 'lamp lamp', 'aquaq'])(
    'that contain "%s" are found, wherever its rarest character is',
    (text) => {
      const vector = vectorOf(titles)
      expect(vector).toBeInstanceOf(TextsVector)
      for (const folded of [true, false]) {
        const test = columnTest({ op: 'contains', text, folded })
        const mask = new Uint8Array(titles.length).fill(1)
        vector?.narrow(mask, test)
        expect([...mask]).toEqual(titles.map((title) => (title !== null && test.passes(title) ? 1 : 0)))
      }
    },
  )
})
