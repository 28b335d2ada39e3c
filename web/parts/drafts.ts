import { useRef, useState } from 'react'
import { useUser } from '../api/permissions.ts'
import { type Keeper, keeperOf } from './last-choice.ts'

/*
 * What somebody typed and did not send yet: kept in this browser by company, person and subject, until it is sent. The one
 * place for it.
 */

const prefix = 'draft '
const maxKept = 50
const keptMs = 30 * 24 * 60 * 60_000

const nameOf = ({ tenant, userId }: Keeper, subject: string): string => `${prefix}${tenant} ${userId} ${subject}`

type Kept = Readonly<Record<string, unknown>>

function read(name: string): Kept | undefined {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(name) ?? 'null')
    return typeof found === 'object' && found !== null ? (found as Kept) : undefined
  } catch {
    return undefined
  }
}

/** What somebody typed about a subject; undefined for nothing, and for what cannot be read. */
export function readKept(keeper: Keeper, subject: string): Kept | undefined {
  const { at: _at, ...kept } = read(nameOf(keeper, subject)) ?? {}
  return _at === undefined ? undefined : kept
}

/** Keeps what somebody types; undefined: it is forgotten. What is old, or too much, goes. */
export function keep(keeper: Keeper, subject: string, typed: object | undefined, nowMs = Date.now()): void {
  const name = nameOf(keeper, subject)
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
      .map((one) => ({ one, at: Number(read(one)?.['at'] ?? 0) }))
      .toSorted((a, b) => b.at - a.at)
    for (const [index, { one, at }] of all.entries())
      if (index >= maxKept || nowMs - at > keptMs) localStorage.removeItem(one)
  } catch {
    // A browser without room keeps what is on the screen.
  }
}

interface Form<T> {
  /** A draft from what was kept, which an older app may have written; undefined where it is none. */
  readonly read?: (kept: Kept) => T | undefined
  /** What is kept of a draft; undefined: it holds nothing, and is forgotten. */
  readonly write?: (draft: T) => object | undefined
}

/** The draft of the person who is signed in about a subject. It begins as `begun`, or as it was left. */
export function useDraft<T extends object>(
  subject: string,
  begun: T,
  { read: from = (kept) => ({ ...begun, ...kept }), write: to = (draft) => draft }: Form<T> = {},
) {
  const keeper = keeperOf(useUser())
  const readDraft = (): T | undefined => {
    const kept = readKept(keeper, subject)
    return kept && from(kept)
  }
  const [empty] = useState(begun)
  const [before] = useState(readDraft)
  const [draft, setDraft] = useState(before ?? empty)
  /** Two changes of one moment are both kept. */
  const latest = useRef(draft)
  function show(next: T): void {
    latest.current = next
    setDraft(next)
  }
  function put(next: T): void {
    show(next)
    keep(keeper, subject, to(next))
  }
  const forget = (): void => keep(keeper, subject, undefined)
  return {
    draft,
    /** As it was left before this screen was opened; undefined: it begins here. */
    before,
    /** Whether it was begun before. */
    isKept: before !== undefined && draft !== empty,
    change: (changes: Partial<T>): void => put({ ...latest.current, ...changes }),
    put,
    /** Shows a draft and leaves what is kept as it is. */
    show,
    /** What is kept now. */
    read: readDraft,
    /** Forgets what is kept and leaves what is shown. */
    forget,
    /** It was sent, or is not wanted. */
    clear(): void {
      show(empty)
      forget()
    },
  }
}
