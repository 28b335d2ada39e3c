import type { Keeper } from './last-choice.ts'

const prefix = 'draft '
const maxKept = 50
const keptMs = 30 * 24 * 60 * 60_000

const nameOf = ({ tenant, userId }: Keeper, about: string): string => `${prefix}${tenant} ${userId} ${about}`

function read(name: string): { readonly at?: number } | undefined {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(name) ?? 'null')
    return typeof found === 'object' && found !== null ? found : undefined
  } catch {
    return undefined
  }
}

/** What somebody typed about something and did not send yet; undefined for nothing. */
export const readKept = (keeper: Keeper, about: string): object | undefined => read(nameOf(keeper, about))

/**
 * Keeps in this browser what somebody types, until it is sent; undefined: it is forgotten. What is old, or too much, goes.
 */
export function keep(keeper: Keeper, about: string, typed: object | undefined, nowMs = Date.now()): void {
  const name = nameOf(keeper, about)
  try {
    if (typed === undefined) {
      localStorage.removeItem(name)
      return
    }
    const isKnown = localStorage.getItem(name) !== null
    localStorage.setItem(name, JSON.stringify({ ...typed, at: nowMs }))
    if (isKnown) return
    const all = Object.keys(localStorage)
      .filter((one) => one.startsWith(prefix))
      .map((one) => ({ one, at: read(one)?.at ?? 0 }))
      .toSorted((a, b) => b.at - a.at)
    for (const [index, { one, at }] of all.entries())
      if (index >= maxKept || nowMs - at > keptMs) localStorage.removeItem(one)
  } catch {
    // A browser without room keeps what is on the screen.
  }
}
