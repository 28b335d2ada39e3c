import { maxPageBytes } from '../../../kernel/limits/requests.ts'

/** Lambda wraps the answer in JSON, where quotes, backslashes and line ends take two bytes each. Its limit is 6 MB. */
const maxCarriedBytes = 5.5 * 1024 * 1024

/** Bytes of a part of an answer: `bytes` as the client receives it, `carried` as Lambda encodes it. */
export interface AnswerSize {
  readonly bytes: number
  readonly carried: number
}

export const noSize: AnswerSize = { bytes: 0, carried: 0 }

export const addSizes = (a: AnswerSize, b: AnswerSize): AnswerSize => ({
  bytes: a.bytes + b.bytes,
  carried: a.carried + b.carried,
})

/** The size of a text in both forms. */
export function sizeOfText(text: string): AnswerSize {
  const bytes = Buffer.byteLength(text)
  let escapes = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit === 0x22 || unit === 0x5c || unit === 0x0a || unit === 0x0d) escapes += 1
  }
  return { bytes, carried: bytes + escapes }
}

/** Whether a page is too large for one answer. `spareBytes` is allowed on top, for what is added to its rows. */
export const isTooLarge = ({ bytes, carried }: AnswerSize, spareBytes = 0): boolean =>
  bytes > maxPageBytes + spareBytes || carried > maxCarriedBytes + spareBytes / 3

/** What Lambda refuses to answer, less what it wraps around a body. */
const maxSentBytes = 6_291_556 - 16 * 1024

/** Whether Lambda can carry this body. */
export const isSendable = (body: string): boolean =>
  body.length * 6 <= maxSentBytes || sizeOfText(body).carried <= maxSentBytes

/** How many of the first items fit into one answer; at least one. */
export function countFitting(items: readonly unknown[]): number {
  let size = noSize
  const over = items.findIndex(
    (item, index) => isTooLarge((size = addSizes(size, sizeOfText(JSON.stringify(item))))) && index > 0,
  )
  return over === -1 ? items.length : over
}

/** Whether something can be answered at all, with what belongs to it: the body of every answer has this limit. */
export const fitsAnswer = (value: unknown): boolean => sizeOfText(JSON.stringify(value)).carried <= maxCarriedBytes
