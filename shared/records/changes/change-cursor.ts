import { Invalid } from '../../kernel/failures/faults.ts'
import { isoTime } from '../../kernel/time/clock.ts'
import { parseDatetime } from '../../kernel/time/parse-date.ts'
import { cursorCodec, cursorPart } from '../../platform/http/paging/cursor.ts'
import type { ChangeSort } from '../../platform/store/keys/columns.ts'

/** A change that was answered although others of its time may still come. */
export interface RecentChange extends ChangeSort {
  readonly tableId: number
}

/** How far a feed was read. */
export interface ChangePosition {
  /** All changes up to this sort key of the change slot were answered; the empty text for none. */
  readonly position: string
  /** Those behind it that were answered as well. */
  readonly recent: readonly RecentChange[]
  /** The tables of the feed, and what the reader may see of them; undefined for a feed that begins. */
  readonly feed?: { readonly tableIds: readonly number[]; readonly access: string }
}

interface CursorText {
  readonly position: string
  readonly tables: string
  readonly access: string
  readonly recent: string
}

const message = 'The since must be the next_since of an answer before, a time such as 2026-11-20T08:00:00Z, or now.'
const cursors = cursorCodec<CursorText>(
  'changes',
  {
    position: cursorPart.text(/^(?:\d{4}-\d\d-\d\dT[\d:.]+Z(?:#\d+#\d+#[ad]|#~)?)?$/),
    tables: cursorPart.text(/^\d+(?:\.\d+)*$/),
    access: cursorPart.text(/^[\w-]+$/),
    recent: cursorPart.text(/^(?:[\da-z]+(?:\.[\da-z]+){4}(?:,[\da-z]+(?:\.[\da-z]+){4})*)?$/),
  },
  message,
)

/** The position behind all changes of a moment. */
export const momentEnd = (at: string): string => `${at}#~`

/** Writes `next_since`. The times of recent changes are kept relative to `baseMs`, in few characters. */
export function writeSince(
  { position, recent }: Pick<ChangePosition, 'position' | 'recent'>,
  { tableIds, access }: NonNullable<ChangePosition['feed']>,
): string {
  const baseMs = timeOf(position)
  return cursors.write({
    position,
    tables: tableIds.join('.'),
    access,
    recent: recent
      .map(({ tableId, id, version, isGone, at }) =>
        [tableIds.indexOf(tableId), id, version, isGone ? 1 : 0, Math.max(0, Date.parse(at) - baseMs)]
          .map((number) => number.toString(36))
          .join('.'),
      )
      .join(','),
  })
}

/** Reads `since`; `now` begins at `horizon` (ISO). Throws Invalid for any other text. */
export function readSince(since: string | undefined, horizon: string): ChangePosition {
  if (since === undefined || since === '') return { position: '', recent: [] }
  if (since === 'now') return { position: horizon, recent: [] }
  const moment = parseDatetime(since.replace(/(T[\d:.]+) (\d\d:?\d\d)$/, '$1+$2'))
  if (moment !== undefined) return { position: moment, recent: [] }
  const { position, tables, access, recent } = readCursor(since)
  const tableIds = tables.split('.').map(Number)
  const baseMs = timeOf(position)
  return {
    position,
    feed: { tableIds, access },
    recent:
      recent === ''
        ? []
        : recent.split(',').map((one) => {
            const [table, id, version, gone, afterMs] = one.split('.').map((number) => Number.parseInt(number, 36)) as [
              number,
              number,
              number,
              number,
              number,
            ]
            return { tableId: tableIds[table] ?? 0, id, version, isGone: gone === 1, at: isoTime(baseMs + afterMs) }
          }),
  }
}

function readCursor(since: string): CursorText {
  try {
    return cursors.read(since)
  } catch (error) {
    throw error instanceof Invalid ? new Invalid({ since: [message] }, { code: 'invalid_cursor' }) : error
  }
}

/** The time in a sort key of the change slot, in milliseconds; 0 for the empty text. */
const timeOf = (position: string): number => (position === '' ? 0 : Date.parse(position.split('#')[0] as string))
