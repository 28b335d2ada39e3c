/** How times are written for somebody: in their language and time zone. */
export interface TimeStyle {
  /** A language tag (BCP 47); null or unknown: English. */
  readonly locale: string | null
  readonly timeZone: string
}

/** English without a country has days before months, and 24 hours, as the service itself writes. */
const localeFor = (locale: string | null): string => {
  if (locale === null || locale.toLowerCase() === 'en') return 'en-GB'
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale)[0] ?? 'en-GB'
  } catch (error) {
    if (error instanceof RangeError) return 'en-GB'
    throw error
  }
}

/** A day for people: `2 July 2026`. */
export const sayDay = (ms: number, { locale, timeZone }: TimeStyle): string =>
  new Intl.DateTimeFormat(localeFor(locale), { dateStyle: 'long', timeZone }).format(ms)

/** A time for people: `2 July 2026, 00:30`. */
export const sayTime = (ms: number, style: TimeStyle): string =>
  `${sayDay(ms, style)}, ${new Intl.DateTimeFormat(localeFor(style.locale), { timeStyle: 'short', timeZone: style.timeZone }).format(ms)}`

const instant = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})`
const isInstant = new RegExp(`^${instant}$`)
const instants = new RegExp(String.raw`(?<![\w:.-])${instant}(?![\w:-])`, 'g')

/** Whether a text holds a time as programs write it: `2026-07-01T22:30:00.000Z`. */
export const holdsTime = (text: string): boolean => text.search(instants) !== -1

/** A value for people: a time as programs write it becomes one for people, every other text stays. */
export function sayValue(text: string, style: TimeStyle): string {
  const ms = isInstant.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? text : sayTime(ms, style)
}

/** A text in which each time that a program wrote is one for people. */
export const sayTimesIn = (text: string, style: TimeStyle): string =>
  text.replaceAll(instants, (found) => sayValue(found, style))
