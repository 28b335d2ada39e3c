import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { List } from './use-list.ts'

interface KeptPlace {
  readonly list: List
  readonly range: { readonly first: number; readonly last: number }
  readonly active: number
  readonly setActive: (index: number) => void
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly rowHeight: number
}

/** The reader stays at a record when others come before it: the line, the focus and what is seen move with it. */
export function useKeepPlace({ list, range, active, setActive, scroller, rowHeight }: KeptPlace): void {
  const kept = useRef<number>(undefined)
  const remember = useEffectEvent(() => {
    kept.current = list.lineAt(active)?.record?.id
  })
  const follow = useEffectEvent(() => {
    const now = list.lineAt(active)?.record?.id
    const before = kept.current
    if (before === undefined) kept.current = now
    if (before === undefined || now === before) return
    for (let at = range.first; at <= range.last; at++) {
      if (list.lineAt(at)?.record?.id !== before) continue
      const area = scroller.current
      const isFocused = area?.contains(document.activeElement) && document.activeElement !== area
      setActive(at)
      // At the top new ones are to be seen; further down nothing moves.
      if (area && area.scrollTop > rowHeight) area.scrollBy({ top: (at - active) * rowHeight, behavior: 'instant' })
      if (isFocused)
        requestAnimationFrame(() =>
          area?.querySelector<HTMLElement>(`[data-line="${at}"]`)?.focus({ preventScroll: true }),
        )
      return
    }
    kept.current = now
  })
  useEffect(() => remember(), [active])
  useEffect(() => follow(), [list.updatedAt])
}
