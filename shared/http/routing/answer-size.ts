/** A page of a list ends before its JSON grows past this (contract §1). */
export const maxPageBytes = 4 * 1024 * 1024
/** Lambda carries an answer as a string in JSON, where quotes, backslashes and line ends take two bytes each; its limit is 6 MB. */
const maxCarriedBytes = 5.5 * 1024 * 1024

/** What a part of an answer takes, as it is sent and as Lambda carries it. */
export interface AnswerSize {
  readonly bytes: number
  readonly carried: number
}

export const noSize: AnswerSize = { bytes: 0, carried: 0 }

export const addSizes = (a: AnswerSize, b: AnswerSize): AnswerSize => ({
  bytes: a.bytes + b.bytes,
  carried: a.carried + b.carried,
})

export function sizeOfText(text: string): AnswerSize {
  const bytes = Buffer.byteLength(text)
  let escapes = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit === 0x22 || unit === 0x5c || unit === 0x0a || unit === 0x0d) escapes += 1
  }
  return { bytes, carried: bytes + escapes }
}

/** Whether a page has grown past what one answer holds; `spareBytes`: for what stands beside its rows. */
export const isTooLarge = ({ bytes, carried }: AnswerSize, spareBytes = 0): boolean =>
  bytes > maxPageBytes + spareBytes || carried > maxCarriedBytes + spareBytes / 3

/** How many of the first items one answer holds: one at least. */
export function countFitting(items: readonly unknown[]): number {
  let size = noSize
  const over = items.findIndex(
    (item, index) => isTooLarge((size = addSizes(size, sizeOfText(JSON.stringify(item))))) && index > 0,
  )
  return over === -1 ? items.length : over
}
