import { Invalid } from '../../../kernel/failures/faults.ts'
import { maxBytesAtOnce, maxWritesAtOnce } from '../../../kernel/limits/requests.ts'
import type { Write } from '../client/write.ts'
import type { Attribute, Item } from '../values/marshal.ts'

/** Rows that one operation may write many of, in the words of the people who asked for it. */
const wordOfKind: Readonly<Record<string, string>> = {
  intent: 'messages',
  'file-claim': 'files',
  unique: 'unique values',
}

/**
 * Throws Invalid, before anything is written, when the writes of one operation are too many for one transaction, or too
 * large. The message counts what an operation may have many of. `most`: when the transaction has other writes too.
 */
export function requireWithinBudget(writes: readonly Write[], most: number = maxWritesAtOnce): void {
  let bytes = 0
  for (const write of writes) bytes += sizeOfWrite(write)
  if (writes.length <= most && bytes <= maxBytesAtOnce) return
  const problem =
    writes.length > most
      ? `This needs ${writes.length} writes at once, and ${most} are possible`
      : `This writes ${Math.ceil(bytes / 1024 / 1024)} MB at once, and less than 4 MB are possible`
  const message = `${problem}: ${partsOf(writes)}. Change less at once, or send fewer messages.`
  throw new Invalid({}, { code: 'record_too_large', message })
}

/** About how many bytes a write adds to its transaction. */
export const sizeOfWrite = (write: Write): number =>
  'put' in write ? sizeOf(write.put) : 'update' in write ? sizeOf(write.change.values ?? {}) : 0

function sizeOf(item: Item): number {
  let bytes = 0
  for (const name in item) bytes += sizeOfAttribute(item[name])
  return bytes
}

function sizeOfAttribute(value: Attribute | undefined): number {
  if (typeof value === 'string') return value.length * 3 < 1024 ? value.length : Buffer.byteLength(value)
  if (value instanceof Uint8Array) return value.length
  if (Array.isArray(value)) return value.reduce((sum: number, one: string) => sum + Buffer.byteLength(one) + 1, 0)
  return 8
}

/** `70 messages, 50 files, 3 other rows`, the most numerous first. */
function partsOf(writes: readonly Write[]): string {
  const counts = new Map<string, number>()
  for (const write of writes) {
    const word = ('put' in write && wordOfKind[String(write.put.kind)]) || 'other rows'
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts]
    .sort(([one, a], [other, b]) => Number(one === 'other rows') - Number(other === 'other rows') || b - a)
    .map(([word, count]) => `${count} ${count === 1 ? word.replace(/s$/, '') : word}`)
    .join(', ')
}
