import { useState } from 'react'
import { useUser } from '../api/permissions.ts'
import { keep, readKept } from './kept.ts'
import { keeperOf } from './last-choice.ts'

/** What somebody typed and did not send yet, kept in this browser for that person alone. */
export function useDraft<T extends object>(about: string, empty: T) {
  const keeper = keeperOf(useUser())
  const [before] = useState(() => readKept(keeper, about) as (T & { readonly at?: number }) | undefined)
  const [draft, setDraft] = useState<T>(() => {
    const { at: _, ...typed } = { ...empty, ...before } as T & { readonly at?: number }
    return typed as unknown as T
  })
  return {
    draft,
    /** Whether it was begun before. */
    isKept: before !== undefined && draft !== empty,
    change(changes: Partial<T>): void {
      const next = { ...draft, ...changes }
      setDraft(next)
      keep(keeper, about, next)
    },
    clear(): void {
      keep(keeper, about, undefined)
      setDraft(empty)
    },
  }
}
