import type { Key } from '../../../platform/store/keys/key.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'

/** An hour counts; what is older says nothing, whenever the row is deleted. */
const keptSeconds = 2 * 60 * 60

/** An automatic answer: its message id, and when it was counted (Unix milliseconds). */
export type CountedAnswer = readonly [id: string, atMs: number]

interface StoredAnswers {
  readonly answers: readonly CountedAnswer[]
  /** 0 when there is no row yet. */
  readonly rev: number
}

/** The row of the automatic answers to an address, as it is at `nowMs`. */
export const answersItem = (key: Key, { answers, rev }: StoredAnswers, nowMs: number): Item & Key => ({
  ...key,
  kind: 'automatic_answers',
  v: 1,
  rev,
  answers: JSON.stringify(answers),
  expires_at: Math.ceil(nowMs / 1000) + keptSeconds,
})

/** Reads the row of automatic answers. */
export const readAnswers = (item: Item | undefined): StoredAnswers =>
  item ? { answers: readJson<CountedAnswer[]>(item, 'answers'), rev: Number(item.rev) } : { answers: [], rev: 0 }
