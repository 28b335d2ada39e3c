/** What was typed before the field was there that it was meant for. */
export interface HeldKeys {
  readonly text: string
  /** Enter was pressed after it. */
  readonly isEntered: boolean
}

const nothing: HeldKeys = { text: '', isEntered: false }
/** What does not load in this time may not keep the keyboard. */
const heldForMs = 5_000
let held: HeldKeys | undefined
let giveUp: ReturnType<typeof setTimeout> | undefined

/** Holds what is typed from now on, until `takeKeys`: no key of it is a shortcut of the screen. Escape calls `onEscape`. */
export function holdKeys(onEscape: () => void): void {
  takeKeys()
  held = nothing
  giveUp = setTimeout(takeKeys, heldForMs)
  window.addEventListener('keydown', hold, true)

  function hold(event: KeyboardEvent): void {
    if (held === undefined) return window.removeEventListener('keydown', hold, true)
    // Those of the browser itself go on.
    if (event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopImmediatePropagation()
    const { key } = event
    if (key === 'Escape') {
      takeKeys()
      onEscape()
    } else if (key === 'Enter') held = { ...held, isEntered: true }
    else if (key === 'Backspace') held = { text: [...held.text].slice(0, -1).join(''), isEntered: false }
    else if ([...key].length === 1) held = { text: held.text + key, isEntered: false }
  }
}

/** What was held. Nothing is held any more. */
export function takeKeys(): HeldKeys {
  const taken = held ?? nothing
  held = undefined
  clearTimeout(giveUp)
  return taken
}
