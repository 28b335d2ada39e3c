import { Cron } from 'croner'

const field = String.raw`[\d*?/,#LWA-Za-z-]+`
const cronPattern = new RegExp(
  String.raw`^(?:@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)|[\d*?/,-]+ +[\d*?/,-]+(?: +${field}){3,5})$`,
)

/** Whether a text is meant as a cron schedule: five fields, six with seconds before them, seven with years, or `@daily`. */
export const looksLikeCron = (text: string): boolean => cronPattern.test(text)

/** Opens a schedule. As other schedulers write it, `?` is `*` where another field says the day, and `0/5` begins at 0. */
const open = (text: string, timeZone: string): Cron =>
  new Cron(text.replaceAll('?', '*'), { paused: true, timezone: timeZone, sloppyRanges: true })

/** What is wrong with a cron schedule, as the end of a sentence; undefined: nothing. */
export function cronProblem(text: string): string | undefined {
  try {
    return open(text, 'UTC').nextRun() === null ? 'no time fits it' : undefined
  } catch (cause) {
    return cause instanceof Error ? cause.message.replace(/^\w+: /, '').replace(/\.$/, '') : String(cause)
  }
}

/** The next time (ms) of a valid cron schedule after `afterMs`, by the clocks of a time zone; undefined: there is none. */
export const nextOfCron = (text: string, afterMs: number, timeZone: string): number | undefined =>
  open(text, timeZone).nextRun(new Date(afterMs))?.getTime()
