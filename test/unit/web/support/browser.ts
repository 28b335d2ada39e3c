import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

/*
 * What jsdom does not have because it draws nothing: sizes, and what depends on them. Loaded before each file of component
 * tests.
 */

class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

Object.assign(window, {
  ResizeObserver: NoObserver,
  IntersectionObserver: NoObserver,
  matchMedia: (media: string) => ({
    media,
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
  }),
  scrollTo: () => {},
})
Object.assign(document, { fonts: { addEventListener: () => {}, removeEventListener: () => {} } })
// A machine that has much else to do is slow, and not wrong.
configure({ asyncUtilTimeout: 10_000 })
Object.assign(Element.prototype, { scrollIntoView: () => {}, scrollBy: () => {}, scrollTo: () => {} })
// Room for some lines of a list.
for (const side of ['offset', 'client'])
  Object.defineProperties(HTMLElement.prototype, {
    [`${side}Height`]: { get: () => 600 },
    [`${side}Width`]: { get: () => 1000 },
  })

afterEach(() => {
  cleanup()
  localStorage.clear()
})
