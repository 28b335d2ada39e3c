import { type RefObject, useEffect, useId, useRef, useState } from 'react'

/** Where the caret is in a text, and where it belongs once a changed text is shown. */
export function useCaret(text: RefObject<HTMLTextAreaElement | null>, body: string) {
  const [caret, setCaret] = useState<number>()
  const next = useRef<number>(undefined)
  useEffect(() => {
    if (next.current === undefined) return
    text.current?.setSelectionRange(next.current, next.current)
    setCaret(next.current)
    next.current = undefined
  }, [text, body])
  return {
    caret,
    follow: (): void => setCaret(text.current?.selectionStart ?? undefined),
    leave: (): void => setCaret(undefined),
    /** Puts the caret there, and the focus into the text. */
    place(at: number): void {
      next.current = at
      text.current?.focus()
    },
  }
}

interface ChoicesOf<T> {
  /** Where what is typed begins; undefined while nothing is asked for. */
  readonly asked: { readonly start: number } | undefined
  readonly found: readonly T[]
  readonly onTake: (one: T) => void
}

/** Offers what was found for what is typed: arrows choose, Enter and Tab take, Escape leaves it. */
export function useChoices<T>({ asked, found, onTake }: ChoicesOf<T>) {
  const id = useId()
  const [active, setActive] = useState(0)
  const [left, setLeft] = useState<number>()
  const items = asked && asked.start !== left ? found : []
  const isOpen = items.length > 0
  const index = Math.min(active, items.length - 1)
  const optionId = (at: number): string => `${id}-${at}`

  function take(one: T): void {
    setActive(0)
    onTake(one)
  }
  /** Whether the key was for the list. */
  function onKey(key: string): boolean {
    if (!isOpen) return false
    const one = items[index]
    if (key === 'ArrowDown') setActive((index + 1) % items.length)
    else if (key === 'ArrowUp') setActive((index + items.length - 1) % items.length)
    else if ((key === 'Enter' || key === 'Tab') && one !== undefined) take(one)
    else if (key === 'Escape') setLeft(asked?.start)
    else return false
    return true
  }
  return {
    isOpen,
    onKey,
    inputProps: isOpen ? { 'aria-controls': id, 'aria-activedescendant': optionId(index) } : {},
    list: { id, items, active: index, optionId, onTake: take },
  }
}
