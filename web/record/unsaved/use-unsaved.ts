import { useEffect, useEffectEvent } from 'react'
import type { EntityRecord, RecordData } from '../../api/records.ts'
import { useDraft } from '../../parts/drafts.ts'
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
function restored({ draft, version, before }: Partial<Kept>, record: EntityRecord): Unsaved | undefined {
  if (!draft || !before || typeof version !== 'number') return undefined
  return { draft, base: { ...record, version, data: { ...record.data, ...before } } }
}

/** What is kept of a draft: nothing when nothing is changed. */
function toKeep({ draft, base }: Unsaved): Kept | undefined {
  const names = Object.keys(draft)
  if (names.length === 0) return undefined
  return {
    draft,
    version: base.version,
    before: Object.fromEntries(names.map((name) => [name, base.data[name] ?? null])),
  }
}

/**
 * What is typed into the fields of a record and not stored yet. It is kept in this browser until it is stored or
 * discarded, with the version on which it was begun: what others change meanwhile becomes a conflict and
 * is not lost. `onStored` is told when the record has turned out to hold it.
 */
export function useUnsaved(model: string, record: EntityRecord, isSending: boolean, onStored: () => void) {
  const {
    draft: unsaved,
    before,
    put,
  } = useDraft<Unsaved>(
    `fields ${model} ${record.id}`,
    { draft: {}, base: record },
    { read: (kept) => restored(kept, record), write: toKeep },
  )
  const { draft, base } = unsaved
  const isChanged = Object.keys(draft).length > 0
  const clear = (): void => put({ draft: {}, base: record })
  // It was stored although the answer was lost, or somebody else stored the same.
  const isStored =
    isChanged &&
    // While it is being sent, the screen shows it already.
    !isSending &&
    record.version > base.version &&
    Object.entries(draft).every(([name, one]) => isSame(one, record.data[name]))
  const finish = useEffectEvent(() => {
    clear()
    onStored()
  })
  useEffect(() => {
    if (isStored) finish()
  }, [isStored])
  return {
    draft,
    base,
    isChanged,
    /** Whether it was typed before this screen was opened. */
    isKept: isChanged && unsaved === before,
    put,
    clear,
    edit(name: string, value: unknown): void {
      const { [name]: _former, ...others } = draft
      const next = isSame(value, record.data[name]) ? others : { ...others, [name]: value }
      put({ draft: next, base: isChanged ? base : record })
    },
  }
}
