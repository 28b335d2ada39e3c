/** The outbox: the newest messages that left the service, for people to read. Kept with the data of the cloud. */
import { currentScope } from '../lambda/invocation-scope.ts'
import type { Op, Storage } from '../runtime/storage/storage.ts'
import type { Entry, EntryType, Sent } from './entry.ts'

export interface Outbox {
  /** Changes whenever the entries do; also different after a restart. */
  readonly version: string
  add(sent: Sent): Entry
  /** Newest first. `to` and `q` match parts of texts, ignoring case. */
  list(filter?: OutboxFilter): readonly Entry[]
  find(id: number): Entry | undefined
  /** False when there is no such entry. */
  remove(id: number): boolean
  clear(): void
}

export interface OutboxFilter {
  readonly type?: EntryType
  readonly to?: string
  /** Part of a recipient, the sender, the subject or the text. */
  readonly q?: string
}

export interface OutboxOptions {
  readonly storage: Storage
  readonly now: () => number
  readonly log: (entry: object) => void
  readonly limits?: OutboxLimits
}

interface OutboxLimits {
  readonly entries: number
  readonly characters: number
}

const prefix = 'outbox/'
const keyOf = (id: number): string => prefix + String(id).padStart(16, '0')

interface KeptEntry {
  readonly entry: Entry
  /** Its length as JSON. */
  readonly size: number
}

/** Opens the outbox of a data directory: the newest 1,000 entries, or fewer when they have 50 MB. */
export async function openOutbox({
  storage,
  now,
  log,
  limits = { entries: 1_000, characters: 50_000_000 },
}: OutboxOptions): Promise<Outbox> {
  const texts = await storage.values({ gte: prefix, lt: `${prefix}~` })
  /** Oldest first. */
  let kept: KeptEntry[] = texts.map((text) => ({ entry: JSON.parse(text) as Entry, size: text.length }))
  let size = kept.reduce((sum, one) => sum + one.size, 0)
  let nextId = Math.max((kept.at(-1)?.entry.id ?? 0) + 1, now())
  const opened = now()
  let changes = 0

  /** Who sends a message does not wait for the disk: an outbox that loses its newest entries in a crash is no harm. */
  function commit(ops: readonly Op[]): void {
    changes += 1
    storage.commit(ops).catch((error: unknown) => {
      // An outage was told when it began.
      if (!storage.outage()) log({ level: 'ERROR', message: `The outbox: ${String(error)}` })
    })
  }

  const deletion = ({ entry }: KeptEntry): Op => ({ type: 'del', key: keyOf(entry.id) })

  /** Takes out the oldest entries while there are too many. The newest stays, however large. */
  function evict(): Op[] {
    let count = 0
    while (kept.length - count > 1 && (kept.length - count > limits.entries || size > limits.characters))
      size -= (kept[count++] as KeptEntry).size
    return kept.splice(0, count).map(deletion)
  }

  return {
    get version() {
      return `${opened.toString(36)}-${changes}`
    },
    add(sent) {
      const sender = currentScope()?.functionName
      const entry: Entry = {
        id: nextId++,
        at: new Date(now()).toISOString(),
        ...(sender !== undefined && { function: sender }),
        ...sent,
      }
      const text = JSON.stringify(entry)
      kept.push({ entry, size: text.length })
      size += text.length
      commit([{ type: 'put', key: keyOf(entry.id), value: text }, ...evict()])
      return entry
    },
    list: (filter = {}) =>
      kept
        .map(({ entry }) => entry)
        .filter((entry) => matches(entry, filter))
        .reverse(),
    find: (id) => kept.find(({ entry }) => entry.id === id)?.entry,
    remove(id) {
      const at = kept.findIndex(({ entry }) => entry.id === id)
      const [removed] = at === -1 ? [] : kept.splice(at, 1)
      if (!removed) return false
      size -= removed.size
      commit([deletion(removed)])
      return true
    },
    clear() {
      const ops = kept.map(deletion)
      kept = []
      size = 0
      commit(ops)
    },
  }
}

function matches(entry: Entry, { type, to, q }: OutboxFilter): boolean {
  const includes = (texts: readonly (string | undefined)[], part: string | undefined): boolean =>
    !part || texts.some((text) => text?.toLowerCase().includes(part.toLowerCase()))
  return (
    (type === undefined || entry.type === type) &&
    includes(entry.to, to) &&
    includes([...entry.to, entry.from, entry.subject, entry.text], q)
  )
}
