import { maxColumnCharacters } from '../../kernel/limits/lists.ts'
import { type SaidKind, saidId } from '../../platform/queue/change-feed/said-event.ts'
import { wordColumns } from '../search/said.ts'
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
  const words = inColumns([...new Set(tokensOf(text))])
  const values = new Map<string, string | boolean | readonly string[]>([
    ['about', about.map(aboutText)],
    ['who', who.filter(Boolean).join(' ')],
    ...words.map((some, index) => [wordColumns[index] as string, some] as const),
  ])
  if (isInternal) values.set('internal', true)
  if (kind === 'message') values.set('message', true)
  return { id: saidId(kind, id), version, isGone: false, values }
}

const aboutText = ({ model, id }: { readonly model: string; readonly id: number }): string => `${model}#${id}`

/** Words as texts that their columns hold whole. What does not fit is not searched. */
function inColumns(words: readonly string[]): string[] {
  const texts: string[] = []
  let text = ''
  for (const word of words) {
    if (text.length + word.length + 1 > maxColumnCharacters) {
      texts.push(text)
      text = ''
      if (texts.length === wordColumns.length) return texts
    }
    text = text === '' ? word : `${text} ${word}`
  }
  return text === '' ? texts : [...texts, text]
}
