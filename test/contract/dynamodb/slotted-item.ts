import { type Item, slots } from './tables.ts'

/** An item in twelve of the twenty indexes. Each version has different index keys. */
export function slottedItem(pk: string, sk: string, version: number): Item {
  const keys = slots.slice(0, 12).flatMap((slot) => [
    [`${slot}p`, { S: `value ${version % 3}` }],
    [`${slot}s`, { S: String(version) }],
  ])
  return { pk: { S: pk }, sk: { S: sk }, version: { N: String(version) }, ...(Object.fromEntries(keys) as Item) }
}
