import { useState } from 'react'
import { useUser } from '../api/permissions.ts'

/** What was kept under a key, if it is an object; undefined for none. */
function kept<T extends object>(key: string): T | undefined {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return typeof found === 'object' && found !== null ? (found as T) : undefined
  } catch {
    return undefined
  }
}

/** What somebody typed and did not send yet, kept in this browser for that person alone. */
export function useDraft<T extends object>(name: string, empty: T) {
  const { id, tenant } = useUser()
  const key = `draft ${tenant.slug} ${id} ${name}`
  const [before] = useState(() => kept<T>(key))
  const [draft, setDraft] = useState<T>({ ...empty, ...before })
  return {
    draft,
    /** Whether it was begun before. */
    isKept: before !== undefined && draft !== empty,
    change(changes: Partial<T>): void {
      const next = { ...draft, ...changes }
      setDraft(next)
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {
        // The browser keeps nothing, or has no room: the draft stays as long as the screen.
      }
    },
    clear(): void {
      localStorage.removeItem(key)
      setDraft(empty)
    },
  }
}
