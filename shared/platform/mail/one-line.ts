/** A text on one line, without control characters: fit for a header, a log or an error. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
