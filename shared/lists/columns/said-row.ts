import { maxColumnCharacters } from '../../kernel/limits/lists.ts'
import { type SaidKind, saidId } from '../../platform/queue/change-feed/said-event.ts'
import { textColumns, wordColumns } from '../search/said.ts'
import { tokensOf } from '../search/terms.ts'
import type { LogRow } from './log-entry.ts'
import { goneRow } from './row-of-record.ts'

/** Something that was said about records. */
export interface Said {
  readonly kind: SaidKind
  readonly id: number
  readonly version: number
  /** The records that it was said about: those that it stands at, whatever they were merged into. */
  readonly about: readonly { readonly model: string; readonly id: number }[]
  readonly isInternal: boolean
  /** The name and the address of who said it. */
  readonly who: readonly (string | null | undefined)[]
  readonly text: string
}

/** What the index holds of something that was said. */
export type SaidRow = LogRow

/** The row of something that is not there any more, or was moved before it was read. */
export const notSaidRow = (kind: SaidKind, id: number, version: number): SaidRow => goneRow(saidId(kind, id), version)

/** The row of something that was said; a gone one when it is about nothing. */
export function saidRow({ kind, id, version, about, isInternal, who, text }: Said): LogRow {
  if (about.length === 0) return goneRow(saidId(kind, id), version)
  const [, ...parts] = textColumns
  const tokens = tokensOf(text)
  const inOrder = inColumns(tokens, parts)
  const known = new Set(inOrder.flatMap(([, part]) => part.split(' ')))
  const others = inColumns([...new Set(tokens).difference(known)], wordColumns)
  const values = new Map<string, string | boolean | readonly string[]>([
    ['about', about.map(aboutText)],
    ['who', who.filter(Boolean).join(' ')],
    ...inOrder,
    ...others,
  ])
  if (isInternal) values.set('internal', true)
  if (kind === 'message') values.set('message', true)
  return { id: saidId(kind, id), version, isGone: false, values }
}

const aboutText = ({ model, id }: { readonly model: string; readonly id: number }): string => `${model}#${id}`

/** Words as texts that these columns hold whole. What does not fit is left out. */
function inColumns(words: readonly string[], columns: readonly string[]): (readonly [column: string, text: string])[] {
  const texts: string[] = []
  for (const word of words) {
    const text = texts.at(-1)
    if (text !== undefined && text.length + word.length < maxColumnCharacters)
      texts[texts.length - 1] = `${text} ${word}`
    else if (texts.push(word) > columns.length) break
  }
  return columns.slice(0, texts.length).map((column, index) => [column, texts[index] as string])
}
