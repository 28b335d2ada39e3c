import { useTranslation } from 'react-i18next'

const formats = new Map<string, Intl.DateTimeFormat>()

/** The language of the app as the reader's region writes it: `en-GB` has the day before the month. */
const regional = (language: string): string =>
  navigator.languages.find((one) => one === language || one.startsWith(`${language}-`)) ?? language

function format(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = language + JSON.stringify(options)
  const known = formats.get(key) ?? new Intl.DateTimeFormat(regional(language), options)
  formats.set(key, known)
  return known
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** "5 minutes ago", in the language of the reader. */
function relative(language: string, seconds: number): string {
  const [unit, size] = units.find(([, one]) => Math.abs(seconds) >= one) ?? ['second', 1]
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' }).format(
    Math.round(seconds / size),
    unit,
  )
}

/** A moment in the zone of the reader; the exact one stands in its title. `short`: how long ago it was. */
export function Moment({ at, short = false }: { readonly at: string; readonly short?: boolean }) {
  const { language } = useTranslation().i18n
  const date = new Date(at)
  const exact = format(language, { dateStyle: 'medium', timeStyle: 'short' }).format(date)
  return (
    <time dateTime={at} title={exact}>
      {/* oxlint-disable-next-line react/purity -- how long ago it was when it was drawn */}
      {short ? relative(language, (date.getTime() - Date.now()) / 1000) : exact}
    </time>
  )
}

/** A day as it was written, in no zone. */
export function Day({ date }: { readonly date: string }) {
  const { language } = useTranslation().i18n
  const shown = format(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`))
  return <time dateTime={date}>{shown}</time>
}
