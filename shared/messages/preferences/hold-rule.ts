import { nextOfCron } from '../../kernel/time/cron.ts'
import type { Choices, Quiet } from './preferences-row.ts'

/** What holds back the notices of a person that leave in one way. */
export interface HoldRule extends Pick<Choices, 'digest' | 'quiet'> {
  readonly timeZone: string
}

/** When the day's mail with all notices leaves, by the clocks of its reader. */
const dailyAt = '0 8 * * *'
const hourlyAt = '0 * * * *'

/**
 * The rule for mails or for messages of a messenger: digests gather mails, quiet hours hold back both. `companyZone`: of who
 * chose none.
 */
export const holdRule = (
  { digest, quiet, timeZone }: Pick<Choices, 'digest' | 'quiet' | 'timeZone'>,
  type: 'email' | 'messenger',
  companyZone: string,
): HoldRule => ({ digest: type === 'email' ? digest : 'none', quiet, timeZone: timeZone ?? companyZone })

/** When a notice that was asked for at some time leaves, at the earliest `nowMs` (Unix ms): then nothing holds it back. */
export function leavesAt({ digest, quiet, timeZone }: HoldRule, askedAtMs: number, nowMs: number): number {
  const gatheredMs =
    digest === 'none'
      ? askedAtMs
      : (nextOfCron(digest === 'daily' ? dailyAt : hourlyAt, askedAtMs, timeZone) ?? askedAtMs)
  const atMs = Math.max(gatheredMs, nowMs)
  if (quiet === null || !isQuiet(quiet, atMs, timeZone)) return atMs
  const [hour, minute] = quiet.to.split(':').map(Number)
  return nextOfCron(`${minute} ${hour} * * *`, atMs, timeZone) ?? atMs
}

/** Whether the clocks of a time zone show a time within quiet hours, which may last over midnight. */
function isQuiet({ from, to }: Quiet, atMs: number, timeZone: string): boolean {
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(atMs)
  return from < to ? from <= time && time < to : time >= from || time < to
}
