/** How something is written about a record. */
export const modes = ['email', 'messenger', 'comment', 'note'] as const
export type Mode = (typeof modes)[number]

/** What was typed and not sent. `mentions`: who is meant by the names in it. */
export interface Draft {
  /** Left out: nothing was chosen. */
  readonly mode?: Mode
  readonly body: string
  readonly mentions: Readonly<Record<string, number>>
}

interface Kept extends Draft {
  readonly at: number
}

const prefix = 'draft '
const maxKept = 50
const keptMs = 30 * 24 * 60 * 60_000

/** Whose draft it is, about which record. A person has another id in each company. */
export interface DraftOf {
  readonly tenant: string
  readonly userId: number
  readonly model: string
  readonly id: number
}

const nameOf = ({ tenant, userId, model, id }: DraftOf): string => `${prefix}${tenant} ${userId} ${model} ${id}`

function read(name: string): Kept | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? 'null') as Kept | null
    return kept && (!kept.mode || modes.includes(kept.mode)) && typeof kept.body === 'string' ? kept : undefined
  } catch {
    return undefined
  }
}

/** The draft of a person for a record; undefined for none. */
export const readDraft = (of: DraftOf): Draft | undefined => read(nameOf(of))

/** Keeps a draft in this browser; an empty one is forgotten. What is old, or too much, goes. */
export function keepDraft(of: DraftOf, draft: Draft, nowMs = Date.now()): void {
  const name = nameOf(of)
  try {
    if (draft.body.trim() === '') {
      localStorage.removeItem(name)
      return
    }
    const isKnown = localStorage.getItem(name) !== null
    localStorage.setItem(name, JSON.stringify({ ...draft, at: nowMs }))
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

/** A text as the service takes it: the names of people become their ids. */
export const withIds = ({ body, mentions }: Pick<Draft, 'body' | 'mentions'>): string =>
  Object.entries(mentions)
    // A name may begin as another one does.
    .toSorted(([a], [b]) => b.length - a.length)
    .reduce((text, [name, id]) => text.replaceAll(`@${name}`, `@[${id}]`), body)

/** The words after an `@` before the caret, and where it stands; undefined when nobody is being mentioned. */
export function mentionAt(
  text: string,
  caret: number,
): { readonly start: number; readonly search: string } | undefined {
  const found = /(?:^|[\s(])@([\p{L}\p{N}][\p{L}\p{N}.'-]*(?: [\p{L}\p{N}.'-]*)?|)$/u.exec(text.slice(0, caret))
  const search = found?.[1]
  return search === undefined ? undefined : { start: caret - search.length - 1, search }
}
