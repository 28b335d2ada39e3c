import { expect, it } from 'vitest'
import { withoutUndone } from '../../../../../../shared/operations/batches/undo/without-undone.ts'

type Written = [batch: number | undefined, side: 'made' | 'taken back', old: unknown, now: unknown]

/** Which writes of one field still count, the oldest first. */
function counting(...oldestFirst: readonly Written[]): readonly number[] {
  const versions = oldestFirst.map(([root, side, old, now]) => ({
    origin: root === undefined ? undefined : { root, side },
    changes: { field: { old, new: now } },
  }))
  return withoutUndone(versions.toReversed())
    .toReversed()
    .flatMap(({ changes }, index) => ('field' in changes ? [index] : []))
}

it.each<[string, readonly Written[], readonly number[]]>([
  [
    'neither a write nor its undo',
    [
      [1, 'made', 0, 1],
      [1, 'taken back', 1, 0],
    ],
    [],
  ],
  [
    'the write of an earlier batch alone',
    [
      [1, 'made', 5, 0],
      [2, 'made', 0, 1],
      [2, 'taken back', 1, 0],
    ],
    [0],
  ],
  [
    'what a person wrote before',
    [
      [undefined, 'made', 5, 0],
      [2, 'made', 0, 1],
      [2, 'taken back', 1, 0],
    ],
    [0],
  ],
  [
    'both of a batch that wrote twice, until both are taken back',
    [
      [1, 'made', 0, 1],
      [1, 'made', 1, 2],
      [1, 'taken back', 2, 1],
    ],
    [0],
  ],
  [
    'none of a batch that wrote twice, when its undo returns to before both',
    [
      [1, 'made', 0, 1],
      [1, 'made', 1, 2],
      [1, 'taken back', 2, 0],
    ],
    [],
  ],
  [
    'everything, when somebody changed the field in between',
    [
      [1, 'made', 0, 1],
      [undefined, 'made', 1, 3],
      [1, 'taken back', 3, 0],
    ],
    [0, 1, 2],
  ],
  [
    'everything, when the undo wrote something else',
    [
      [1, 'made', 0, 1],
      [1, 'taken back', 1, 7],
    ],
    [0, 1],
  ],
  [
    'the write that was made again',
    [
      [1, 'made', 0, 1],
      [1, 'taken back', 1, 0],
      [1, 'made', 0, 1],
    ],
    [2],
  ],
])('of a field counts %s', (_what, writes, expected) => {
  expect(counting(...writes)).toEqual(expected)
})
