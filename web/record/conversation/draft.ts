/** How something is written about a record. */
export const modes = ['email', 'messenger', 'comment', 'note', 'forward'] as const
export type Mode = (typeof modes)[number]

/** What was typed and not sent. `mentions`: who is meant by the names in it. */
export interface Draft {
  /** Left out: nothing was chosen. */
  readonly mode?: Mode
  readonly body: string
  readonly mentions: Readonly<Record<string, number>>
  /** Of a mail: who gets a copy, and what it is called; left out, as the service offers. */
  readonly cc?: string
  readonly subject?: string
  /** Of a mail: the conversation that it answers, where it is not the default one. */
  readonly conversation?: number
  /** Of a forward: to whom, and which messages and comments; left out, the latest message. */
  readonly to?: string
  readonly messages?: readonly number[]
  readonly comments?: readonly number[]
}

/** What begins, and what is left once it is sent. */
export const emptyDraft: Draft = { body: '', mentions: {} }

/** A draft as it was kept; undefined where it is none. */
export function readDraft(kept: Readonly<Record<string, unknown>>): Draft | undefined {
  const { mode, body, mentions = {}, cc, subject, conversation, to, messages, comments } = kept as Partial<Draft>
  if (typeof body !== 'string' || (mode && !modes.includes(mode))) return undefined
  return {
    ...(mode && { mode }),
    body,
    mentions,
    ...(cc !== undefined && { cc }),
    ...(subject && { subject }),
    ...(conversation !== undefined && { conversation }),
    ...(to !== undefined && { to }),
    ...(messages && { messages }),
    ...(comments && { comments }),
  }
}

/** A draft as it is kept; without a text there is none. */
export const writeDraft = (draft: Draft): Draft | undefined => (draft.body.trim() === '' ? undefined : draft)

/** Addresses as people part them. */
export const addressesOf = (text: string): readonly string[] => text.split(/[\s,;]+/).filter((one) => one !== '')

/** A text as the service takes it: the names of people become their ids. */
export const withIds = ({ body, mentions }: Pick<Draft, 'body' | 'mentions'>): string =>
  Object.entries(mentions)
    // A name may begin as another one does.
    .toSorted(([a], [b]) => b.length - a.length)
    .reduce((text, [name, id]) => text.replaceAll(`@${name}`, `@[${id}]`), body)

/** The words after `::` before the caret, and where it stands; undefined where no snippet is looked for. */
export function snippetAt(
  text: string,
  caret: number,
): { readonly start: number; readonly search: string } | undefined {
  const found = /(?:^|[\s(])::([^\s:][^\n:]{0,40}|)$/u.exec(text.slice(0, caret))
  const search = found?.[1]
  return search === undefined ? undefined : { start: caret - search.length - 2, search }
}

/** The words after an `@` before the caret, and where it stands; undefined when nobody is being mentioned. */
export function mentionAt(
  text: string,
  caret: number,
): { readonly start: number; readonly search: string } | undefined {
  const found = /(?:^|[\s(])@([\p{L}\p{N}][\p{L}\p{N}.'-]*(?: [\p{L}\p{N}.'-]*)?|)$/u.exec(text.slice(0, caret))
  const search = found?.[1]
  return search === undefined ? undefined : { start: caret - search.length - 1, search }
}
