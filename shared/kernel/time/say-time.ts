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
