import { useRef } from 'react'

/**
 * The `Idempotency-Key` of what is sent: the same for the same content, so that what is sent again after a lost answer
 * happens once; what was corrected is another request. `done`: it arrived, and the same content is meant anew.
 */
export function useRequestKey(): { readonly keyOf: (content: unknown) => string; readonly done: () => void } {
  const attempt = useRef<{ readonly content: string; readonly key: string }>(undefined)
  return {
    keyOf(request) {
      const content = JSON.stringify(request)
      if (attempt.current?.content !== content) attempt.current = { content, key: crypto.randomUUID() }
      return attempt.current.key
    },
    done() {
      attempt.current = undefined
    },
  }
}
