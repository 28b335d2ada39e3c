/** First and last numbers of formats that every spreadsheet shows as dates or times, in some languages only. */
const builtIn = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [71, 81],
] as const
/** Numbers below are of formats that spreadsheets have built in. */
const firstOwn = 100
/** Excel takes no longer ones. */
const maxCharacters = 255
const dateToken = /^(?:s{1,2}|m{1,5}|h{1,2}|d{1,4}|a{3,5}|y|yy|yyyy|e{1,4}|am|pm|a|p)$/

/** Whether a number format shows a moment. `code`: of a format that the workbook brings. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (builtIn.some(([first, last]) => id >= first && id <= last)) return true
  if (id < firstOwn || code === undefined || code.length > maxCharacters) return false
  // Every part, of positive and of negative numbers, is a format of its own; `@` stands for texts.
  const parts = code.toLowerCase().replace(/;@$/, '').replace(/\\./g, ' ').split(';')
  return parts.some((part) => {
    const tokens = part
      .replace(/"[^"]*"/g, ' ')
      // Fractions of seconds.
      .replace(/(\[?[smhd]{1,2}\]?)[.,]0{1,3}/g, '$1')
      // Hours that pass 24; other brackets hold colours, currencies and languages.
      .replace(/\[([smhd]{1,2})\]/g, '$1')
      .replace(/\[[^\]]*\]/g, '')
      .match(/[a-z0#?%]+/g)
    return tokens?.every((token) => dateToken.test(token)) === true
  })
}
