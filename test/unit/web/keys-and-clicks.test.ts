import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nameOf } from '../../../web/keyboard/keyboard.tsx'
import { secondClicks } from '../../../web/parts/second-click.ts'
import { holdKeys, takeKeys } from '../../../web/shell/held-keys.ts'

describe('a key', () => {
  const none = { shiftKey: false, ctrlKey: false, metaKey: false }
  it.each([
    [{ key: 'z' }, 'z'],
    // With Caps Lock.
    [{ key: 'Z' }, 'z'],
    [{ key: 'Z', shiftKey: true }, 'shift+z'],
    [{ key: 'Ä', shiftKey: true }, 'shift+ä'],
    [{ key: '?', shiftKey: true }, '?'],
    [{ key: 'Enter' }, 'enter'],
    [{ key: 'k', ctrlKey: true }, 'mod+k'],
    [{ key: 'k', metaKey: true }, 'mod+k'],
    [{ key: 'K', ctrlKey: true, shiftKey: true }, 'mod+shift+k'],
  ])('%j is %s', (event, name) => {
    expect(nameOf({ ...none, ...event })).toBe(name)
  })
})

describe('a second click', () => {
  let nowMs: number
  let clicks: ReturnType<typeof secondClicks>
  const at = (clientX: number, detail = 1) => clicks.take({ clientX, clientY: 10, detail })
  beforeEach(() => {
    nowMs = 0
    clicks = secondClicks(() => nowMs)
  })

  it('does nothing within half a second after the screen that the first one led to', () => {
    expect(at(100)).toBe(false)
    nowMs = 2_000
    clicks.screenChanged()
    nowMs = 2_499
    expect([at(104), at(100, 2), at(100, 3)]).toEqual([true, true, true])
    nowMs = 2_500
    expect(at(100)).toBe(false)
  })

  it('is meant elsewhere, on the same screen, from the keyboard, and after a screen that keys led to', () => {
    expect([at(100), at(100, 2)]).toEqual([false, false])
    clicks.screenChanged()
    expect([at(300), at(100, 0)]).toEqual([false, false])
    // The click elsewhere was on the new screen.
    expect(at(300, 2)).toBe(false)
    clicks = secondClicks(() => nowMs)
    clicks.screenChanged()
    expect(at(100, 2)).toBe(false)
  })
})

describe('what is typed before its field is there', () => {
  let page: EventTarget
  const press = (key: string, more: object = {}): Event => {
    const event = Object.assign(new Event('keydown', { cancelable: true }), { key, ...more })
    page.dispatchEvent(event)
    return event
  }
  beforeEach(() => {
    page = new EventTarget()
    vi.stubGlobal('window', page)
    vi.useFakeTimers()
  })
  afterEach(() => {
    takeKeys()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('is held and given to it, and never reaches the shortcuts of the screen', () => {
    const shortcut = vi.fn<(event: Event) => void>()
    holdKeys(() => {})
    page.addEventListener('keydown', shortcut)
    for (const key of ['v', 'p', 'm', 'Backspace', 'n', 'Shift', 'Tab', 'ArrowDown']) press(key)
    expect(takeKeys()).toEqual({ text: 'vpn', isEntered: false })
    expect(shortcut).toHaveBeenCalledTimes(0)
    press('j')
    expect(shortcut).toHaveBeenCalledTimes(1)
    expect(takeKeys()).toEqual({ text: '', isEntered: false })
  })

  it('is entered by Enter as the last key, and leaves the keys of the browser alone', () => {
    holdKeys(() => {})
    press('a')
    expect(press('r', { ctrlKey: true }).defaultPrevented).toBe(false)
    expect(press('Enter').defaultPrevented).toBe(true)
    expect(takeKeys()).toEqual({ text: 'a', isEntered: true })
  })

  it('is let go by Escape, and when nothing came in five seconds', () => {
    const escape = vi.fn<() => void>()
    holdKeys(escape)
    press('a')
    press('Escape')
    expect([escape.mock.calls.length, press('j').defaultPrevented]).toEqual([1, false])
    holdKeys(escape)
    vi.advanceTimersByTime(5_000)
    expect(press('j').defaultPrevented).toBe(false)
  })
})
