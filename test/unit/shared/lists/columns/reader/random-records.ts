import type { Random } from './random-numbers.ts'
import type { Data } from './record-table.ts'

/** The columns of random records. */
export const columns = ['status', 'priority', 'due', 'title', 'title+', 'mixed', 'created_at', 'updated_by'] as const

/** Some records to write at once: new ones in three chunks, changed ones, deleted (undefined) and restored ones. */
export function randomRecords(
  random: Random,
  truth: ReadonlyMap<number, { readonly isGone: boolean }>,
): Map<number, Data | undefined> {
  const written = new Map<number, Data | undefined>()
  const known = [...truth.keys()]
  for (let n = random(8) + 1; n > 0; n -= 1) {
    const isNew = known.length === 0 || random(2) === 0
    const id = isNew
      ? ([1, 16_370, 16_384, 32_773][random(4)] as number) + random(60)
      : (known[random(known.length)] as number)
    const isDeleted = random(8) === 0 && truth.get(id)?.isGone === false
    written.set(id, isDeleted ? undefined : randomData(random))
  }
  return written
}

function randomData(random: Random): Data {
  const title = ['lamp', 'Straße', '灯 printer', '😀', 'x'.repeat(1025), ''][random(6)]
  return {
    ...(random(5) > 0 && { status: ['open', 'closed', 'held'][random(3)] }),
    priority: random(7) === 0 ? null : random(300) - 20,
    due: random(9) === 0 ? 'soon' : new Date(1.7e12 + random(1e9)).toISOString(),
    title: `${title} ${random(3)}`,
    ...(random(2) === 0 && { mixed: [true, 1.5, 'text', ['a', 'b']][random(4)] }),
  }
}
