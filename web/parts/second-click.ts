/** How long after a screen came a second click is one that was meant for the screen before. */
const quietMs = 500
/** A hand that clicks twice moves so far at most, in pixels. */
const nearPx = 16

type Click = Pick<MouseEvent, 'detail' | 'clientX' | 'clientY'>

/**
 * Tells second clicks: of two at the same place, of which the first one led to another screen, the second would press what
 * happens to lie there. Clicks elsewhere, and those of the keyboard, are meant.
 */
export function secondClicks(now: () => number = () => performance.now()) {
  let first: Click | undefined
  let changedAt = Number.NEGATIVE_INFINITY
  /** The first click was made on the screen before. */
  let isOfBefore = false
  return {
    screenChanged(): void {
      changedAt = now()
      isOfBefore = first !== undefined
    },
    /** Takes a click; whether it is a second one, which does nothing. */
    take(click: Click): boolean {
      // Those of the keyboard and of scripts are not made with a pointer.
      if (click.detail === 0) return false
      const isNear =
        first !== undefined && Math.hypot(click.clientX - first.clientX, click.clientY - first.clientY) <= nearPx
      if (isOfBefore && now() - changedAt < quietMs && (click.detail > 1 || isNear)) return true
      first = click
      isOfBefore = false
      return false
    },
  }
}

/** Lets second clicks do nothing, anywhere. `onScreen` calls its listener when another screen is shown. Called once. */
export function ignoreSecondClicks(onScreen: (listener: () => void) => void): void {
  const clicks = secondClicks()
  onScreen(clicks.screenChanged)
  const stop = (event: MouseEvent): void => {
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  let isSecond = false
  window.addEventListener(
    'click',
    (event) => {
      isSecond = clicks.take(event)
      if (isSecond) stop(event)
    },
    true,
  )
  // It follows the second click of two.
  window.addEventListener('dblclick', (event) => isSecond && stop(event), true)
}
