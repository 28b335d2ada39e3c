import { fill, type Param } from './fill-sentence.ts'
import { type ParamsOf, type SentenceCode, sentences } from './sentences.ts'

/** What is said of a value or a refusal: `code` and `params` say it in any language, `message` says it in English. */
export interface Sentence {
  /** One of `sentences`; `custom` for the words of an administrator, and for what is about a configuration. */
  readonly code: SentenceCode | 'custom'
  readonly params: Readonly<Record<string, Param>>
  readonly message: string
}

/** What is wrong with a value. A text is a sentence without a code. */
export type Problem = string | Sentence
/** What is wrong, by the path of the field. */
export type FieldErrors = Record<string, Problem[]>
/** The same in English, as `errors` of a 422. */
export type FieldMessages = Record<string, string[]>

/** Says one of the sentences of the service. */
export function say<Code extends SentenceCode>(code: Code, params: ParamsOf<Code>): Sentence {
  const given = Object.entries<Param | undefined>(params).filter(([, value]) => value !== undefined)
  return {
    code,
    params: Object.fromEntries(given) as Record<string, Param>,
    message: fill(sentences[code], params),
  }
}

/** A sentence for an issue that a check of a schema adds. */
export const asIssue = (sentence: Sentence) => ({ message: sentence.message, params: { sentence } })

/** What is wrong, in English. */
export const messageOf = (problem: Problem): string => (typeof problem === 'string' ? problem : problem.message)

/** A problem as a sentence, whether it has a code or not. */
export const sentenceOf = (problem: Problem): Sentence =>
  typeof problem === 'string' ? { code: 'custom', params: {}, message: problem } : problem

/** What is wrong by path, in English. */
export const messagesOf = (errors: Readonly<Record<string, readonly Problem[]>>): FieldMessages =>
  Object.fromEntries(Object.entries(errors).map(([path, problems]) => [path, problems.map(messageOf)]))
