import type { Caller } from '../../kernel/principal.ts'
import { cursorCodec, cursorPart } from '../../platform/http/paging/cursor.ts'
import { pageTooLarge } from '../../platform/http/paging/fit-page.ts'
import { countFitting } from '../../platform/http/routing/answer-size.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import { bellPartition, bellSort } from '../../platform/store/keys/messages/bell.ts'
import { readPages } from '../../platform/store/ranges/read-all.ts'
import type { Store } from '../../platform/store/store.ts'
import { dayOfId, type Notification, readNotification, sortsOfDays } from './bell-row.ts'
import { type BellState, totalOf } from './bell-state.ts'
import { describeNotification, isUnread } from './describe-notification.ts'
import type { NotificationAnswer, NotificationQuery } from './schema.ts'

/** Rather read past so many notifications that do not belong to the list than query another range. */
const maxPassedOver = 200
const readAtOnce = 300

const cursors = cursorCodec('notifications', {
  lastId: cursorPart.text(/^\d{1,16}$/),
  seen: cursorPart.count,
})

type Count = 'kept' | 'unread'

/** Consecutive days with notifications of the list, both included. */
interface Days {
  firstDay: number
  readonly lastDay: number
}

/**
 * One page of a user's notifications, newest first. The counts by day say which days to read, so that neither a deep
 * page nor one old unread notification costs a pass over all of them.
 */
export async function listNotifications(
  store: Pick<Store, 'query'>,
  caller: Caller,
  state: BellState,
  { page, per_page, cursor, unread }: NotificationQuery,
): Promise<Page<NotificationAnswer>> {
  const count: Count = unread === 'true' ? 'unread' : 'kept'
  const position = cursor ? cursors.read(cursor, count) : undefined
  const offset = position?.seen ?? (page - 1) * per_page
  const belowId = position && Number(position.lastId)
  const start = belowId === undefined ? skipDays(state, count, offset) : { skip: 0, lastDay: dayOfId(belowId) }
  const found = await gather(store, caller, state, count, { ...start, belowId, wanted: per_page + 1 })

  const answers = found.slice(0, per_page).map((one) => describeNotification(one, state))
  const fit = countFitting(answers)
  if (fit < answers.length && !position) throw pageTooLarge(per_page, fit, 'notifications')
  const items = answers.slice(0, fit)
  const last = items.at(-1)
  const seen = offset + items.length
  return {
    items,
    total: totalOf(state, count),
    perPage: per_page,
    page: position ? null : page,
    offset,
    nextCursor: last && found.length > items.length ? cursors.write({ lastId: String(last.id), seen }, count) : null,
    meta: { unread: totalOf(state, 'unread') },
  }
}

/** The day on which a page begins, and how many of its notifications come before it. */
function skipDays({ days }: BellState, count: Count, offset: number): { skip: number; lastDay: number } {
  let skip = offset
  for (const one of days) {
    if (skip < one[count]) return { skip, lastDay: one.day }
    skip -= one[count]
  }
  return { skip, lastDay: -1 }
}

interface Wanted {
  readonly skip: number
  readonly lastDay: number
  readonly belowId: number | undefined
  readonly wanted: number
}

async function gather(
  store: Pick<Store, 'query'>,
  { tenant, userId }: Caller,
  state: BellState,
  count: Count,
  { skip, lastDay, belowId, wanted }: Wanted,
): Promise<Notification[]> {
  const found: Notification[] = []
  let left = skip
  for (const days of rangesOf(state, count, lastDay)) {
    const { from, to } = sortsOfDays(days.firstDay, days.lastDay)
    const range = {
      pk: bellPartition(tenant, userId),
      from,
      to: belowId !== undefined && dayOfId(belowId) === days.lastDay ? bellSort(belowId - 1) : to,
      reverse: true,
      limit: count === 'kept' ? left + wanted - found.length : readAtOnce,
    }
    if (range.to < range.from) continue
    for await (const { items } of readPages(store, tenant, range)) {
      for (const one of items.map(readNotification)) {
        if (count === 'unread' && !isUnread(one, state)) continue
        if (left > 0) left -= 1
        else found.push(one)
        if (found.length === wanted) return found
      }
    }
  }
  return found
}

/** The days that hold notifications of the list, joined where reading what lies between is cheaper than a query. */
function rangesOf({ days }: BellState, count: Count, lastDay: number): Days[] {
  const ranges: Days[] = []
  let passedOver = 0
  for (const one of days) {
    if (one.day > lastDay) continue
    if (one[count] <= 0) {
      passedOver += one.kept
      continue
    }
    const range = ranges.at(-1)
    if (range && passedOver <= maxPassedOver) range.firstDay = one.day
    else ranges.push({ firstDay: one.day, lastDay: one.day })
    passedOver = 0
  }
  return ranges
}
