/** A cell that holds no value, and why: its row fails. */
export class UnreadableCell {
  /** As the sheet calls it. */
  readonly cell: string
  /** What a spreadsheet shows. */
  readonly shown: string
  readonly message: string

  constructor(cell: string, shown: string, why: string) {
    this.cell = cell
    this.shown = shown
    this.message = `The cell ${cell} ${why}`
  }
}

/** The number of a text that the workbook keeps for all its cells. */
export type SharedText = number

/** Dates stay dates, because a workbook does not say in which time zone. */
export type CellValue = string | Date | SharedText | UnreadableCell

/** A cell as its XML has it. */
export interface RawCell {
  readonly name: string
  readonly type: string
  readonly style: number
  /** The text of its value, which a formula last came to. */
  readonly value: string | undefined
  /** The text that it holds itself. */
  readonly inline: string | undefined
}

/** What numbers mean in a workbook. */
export interface NumberMeaning {
  /** By the number of a style: whether numbers are moments. */
  readonly isDate: readonly boolean[]
  /** Whether days are counted from 1904. */
  readonly from1904: boolean
}

/** What a cell holds; undefined when it is empty. Numbers become texts without exponent, truth values `true` and `false`. */
export function readCell(cell: RawCell, meaning: NumberMeaning): CellValue | undefined {
  const { name, type, style, value, inline } = cell
  if (type === 'inlineStr') return unescaped(inline ?? value ?? '') || undefined
  if (value === undefined || value === '') return undefined
  switch (type) {
    case 's':
      return /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : damaged(name, value)
    case 'str':
      return unescaped(value)
    case 'b':
      return value === '1' || value === 'true'
        ? 'true'
        : value === '0' || value === 'false'
          ? 'false'
          : damaged(name, value)
    case 'e':
      return new UnreadableCell(name, value, `holds the error ${value}. Mend its formula, or clear it.`)
    case 'd':
      return momentOf(name, value)
    case 'n':
      return meaning.isDate[style] ? dayOf(name, value, meaning) : plainNumber(value)
    default:
      return damaged(name, value)
  }
}

/** A cell that is not as the format has it. */
export const damaged = (name: string, shown: string): UnreadableCell =>
  new UnreadableCell(name, shown, 'holds nothing that a workbook may hold. Type its value again.')

/** Characters that XML cannot hold are written as `_x000B_`. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(parseInt(code, 16)))
    : text

/** ISO 8601, as few programs write it; without a zone it is what clocks show. */
function momentOf(name: string, text: string): CellValue {
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/.test(text) || !text.includes('T')
  const ms = Date.parse(hasZone ? text : `${text}Z`)
  return Number.isNaN(ms) ? damaged(name, text) : new Date(ms)
}

const dayMs = 86_400_000
/** 1970-01-01, and 1904-01-01, in days since 1900 as a workbook counts them. */
const [unixDay, day1904] = [25_569, 1462]
/** 9999-12-31, the last day of a workbook. */
const lastDay = 2_958_466

/** A moment as a number of days. A workbook counts a 29 February 1900 that there was not. */
function dayOf(name: string, text: string, { from1904 }: NumberMeaning): CellValue {
  const days = Number(text) + (from1904 ? day1904 : 0)
  if (!(days >= 0 && days < lastDay))
    return new UnreadableCell(name, text, `holds the number ${text}, which is no date of a workbook.`)
  if (days >= 60 && days < 61) return new UnreadableCell(name, '1900-02-29', 'holds 29 February 1900, which is no day.')
  const counted = days >= 1 && days < 60 ? days + 1 : days
  return wholeSecond(new Date(Math.floor((counted - unixDay) * dayMs)))
}

const inexactMs = 2

/** A moment is a fraction of a day in a workbook: 10:00 comes out as 09:59:59.999. */
function wholeSecond(moment: Date): Date {
  const seconds = Math.round(moment.getTime() / 1000) * 1000
  return Math.abs(seconds - moment.getTime()) <= inexactMs ? new Date(seconds) : moment
}

/** What so few characters write is as people do already. */
const exactCharacters = 15

/** A number as people write it. A workbook keeps 15 digits, and `0.1 + 0.2` as 0.30000000000000004. */
function plainNumber(text: string): string {
  if (text.length <= exactCharacters && /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/.test(text) && text !== '-0') return text
  const value = Number(Number(text).toPrecision(15))
  if (!Number.isFinite(value)) return text
  const plain = String(value)
  return /e/i.test(plain) ? value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 }) : plain
}

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
