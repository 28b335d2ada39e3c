import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

/** A key of the screen that is open, as `?` lists it. */
export interface Key {
  /** `j`, `?`, `mod+k`, or a sequence such as `g r`. */
  readonly keys: string
  /** What it does, for people. */
  readonly label: string
  readonly run: (event: KeyboardEvent) => void
  /** Works in text fields too. */
  readonly inFields?: boolean
}

const registered = new Set<readonly Key[]>()
const listeners = new Set<() => void>()
let snapshot: readonly Key[] = []

function changed(): void {
  snapshot = [...registered].flat()
  for (const listener of listeners) listener()
}

/** The keys that work now, for the list of them. */
export const useRegisteredKeys = (): readonly Key[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => snapshot,
  )

/** Makes keys work while the component is shown. */
export function useKeys(keys: readonly Key[]): void {
  // What a key does changes with each render; which keys there are does not.
  const now = useEffectEvent(() => keys)
  const names = keys.map((one) => `${one.keys}\n${one.label}`).join('\n')
  useEffect(() => {
    const stable = now().map((one, index) => ({ ...one, run: (event: KeyboardEvent) => now()[index]?.run(event) }))
    registered.add(stable)
    changed()
    return () => {
      registered.delete(stable)
      changed()
    }
  }, [names])
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type))

/** A dialog has the keyboard to itself. */
const isInDialog = (target: EventTarget | null): boolean =>
  document.querySelector('[role="dialog"][aria-modal="true"]') !== null ||
  (target instanceof HTMLElement && target.closest('[role="menu"], [role="listbox"]') !== null)

/** How long the first key of a sequence waits for the second. */
const sequenceMs = 1000
let first: { readonly key: string; readonly at: number } | undefined

/** A letter with Shift is another key than the letter; with Caps Lock it is the same. Signs such as `?` are what they are. */
export function nameOf({
  key,
  shiftKey,
  ctrlKey,
  metaKey,
}: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey'>): string {
  const isLetter = key.length === 1 && key.toLowerCase() !== key.toUpperCase()
  return `${ctrlKey || metaKey ? 'mod+' : ''}${isLetter && shiftKey ? 'shift+' : ''}${key.toLowerCase()}`
}

/** Listens for the keys of all components. Called once. */
export function startKeyboard(): void {
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return
    const name = nameOf(event)
    const sequence = first && Date.now() - first.at < sequenceMs ? `${first.key} ${name}` : undefined
    first = undefined
    // The component that was shown last comes first.
    const all = [...registered].toReversed().flat()
    const found = (sequence && all.find(({ keys }) => keys === sequence)) || all.find(({ keys }) => keys === name)
    const isTyping = isField(event.target)
    if (found) {
      if ((isTyping || isInDialog(event.target)) && !found.inFields) return
      event.preventDefault()
      found.run(event)
    } else if (!isTyping && all.some(({ keys }) => keys.startsWith(`${name} `))) {
      first = { key: name, at: Date.now() }
    }
  })
}
