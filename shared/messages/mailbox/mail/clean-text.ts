const bidiControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu
const invisible = /[\u200B\u2060\uFEFF\u00AD]/gu

/** A text of several lines without control characters but line ends and tabs. */
export const cleanText = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\n\t])\p{Cc}/gu, '')
    .toWellFormed()

/**
 * A text on one line of at most `maxCharacters`, without control characters and without marks that change the direction of
 * text or are invisible: what is shown is what is there.
 */
export const cleanLine = (text: string, maxCharacters: number): string =>
  text
    // Nobody reads more; patterns on megabytes take their time.
    .slice(0, 4 * maxCharacters)
    .replaceAll(bidiControls, '')
    .replaceAll(invisible, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, maxCharacters)
    .toWellFormed()
