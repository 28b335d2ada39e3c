import { useEffect, useState } from 'react'
import { useUser } from '../../api/permissions.ts'
import type { EntityRecord, RecordData } from '../../api/records.ts'
import { keep, readKept } from '../../parts/kept.ts'
import { isSame } from './changed-fields.ts'

interface Unsaved {
  readonly draft: RecordData
  /** The record on which the draft was begun. */
  readonly base: EntityRecord
}

interface Kept {
  readonly draft: RecordData
  readonly version: number
  /** What the fields of the draft held then. */
  readonly before: RecordData
}

/** A draft that was kept, on the record as it was then. */
function restored(kept: object | undefined, record: EntityRecord): Unsaved | undefined {
  const { draft, version, before } = (kept ?? {}) as Partial<Kept>
  if (!draft || !before || typeof version !== 'number') return undefined
  return { draft, base: { ...record, version, data: { ...record.data, ...before } } }
}

/**
 * What is typed into the fields of a record and not stored yet. It is kept in this browser until it is stored or
 * discarded, with the version on which it was begun: what others change meanwhile becomes a conflict and
 * is not lost. `onStored` is told when the record has turned out to hold it.
 */
export function useUnsaved(model: string, record: EntityRecord, isSending: boolean, onStored: () => void) {
  const { id: userId, tenant } = useUser()
  const keeper = { tenant: tenant.slug, userId }
  const about = `fields ${model} ${record.id}`
  const [kept] = useState(() => restored(readKept(keeper, about), record))
  const [unsaved, setUnsaved] = useState<Unsaved>(kept ?? { draft: {}, base: record })
  const { draft, base } = unsaved
  const isChanged = Object.keys(draft).length > 0

  function put(next: Unsaved): void {
    setUnsaved(next)
    const names = Object.keys(next.draft)
    const before = Object.fromEntries(names.map((name) => [name, next.base.data[name] ?? null]))
    keep(keeper, about, names.length === 0 ? undefined : { draft: next.draft, version: next.base.version, before })
  }
  const clear = (): void => put({ draft: {}, base: record })
  // It was stored although the answer was lost, or somebody else stored the same.
  const isStored =
    isChanged &&
    // While it is being sent, the screen shows it already.
    !isSending &&
    record.version > base.version &&
    Object.entries(draft).every(([name, one]) => isSame(one, record.data[name]))
  useEffect(() => {
    if (!isStored) return
    clear()
    onStored()
  }, [isStored])
  return {
    draft,
    base,
    isChanged,
    /** Whether it was typed before this screen was opened. */
    isKept: isChanged && unsaved === kept,
    put,
    clear,
    edit(name: string, value: unknown): void {
      const { [name]: _former, ...others } = draft
      const next = isSame(value, record.data[name]) ? others : { ...others, [name]: value }
      put({ draft: next, base: isChanged ? base : record })
    },
  }
}
