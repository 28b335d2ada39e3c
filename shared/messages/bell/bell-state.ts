import type { TenantRef } from '../../kernel/tenancy.ts'
import { bellStateKey } from '../../platform/store/keys/messages/bell.ts'
import type { Write } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { atVersion, equals, isNew, lacks } from '../../platform/store/writes/conditions.ts'
import { isKept } from './bell-row.ts'

/** What is counted of one day's notifications. */
interface DayCount {
  readonly day: number
  readonly kept: number
  readonly unread: number
}

/**
 * What is counted of a user's notifications. Every write of a notification changes it in the same transaction, so that
 * the counts are exact. They are by day, so that a day's notifications stop counting when they expire.
 */
export interface BellState {
  /** Rises with every change of the list. */
  readonly version: number
  /** Rises when all notifications are marked as read: those of earlier epochs are read. */
  readonly epoch: number
  /** Newest first, without expired days. */
  readonly days: readonly DayCount[]
  /** Names of attributes that a new epoch removes: all unread counts, and counts of expired days. */
  readonly outdated: readonly string[]
}

const kept = (day: number): string => `k${day}`
const unread = (day: number): string => `u${day}`
const countName = /^([ku])(\d+)$/

/** Reads the state of a bell; a user who was never notified has no row. */
export function readBellState(item: Item | null | undefined, today: number): BellState {
  const days: DayCount[] = []
  const outdated: string[] = []
  for (const name of Object.keys(item ?? {})) {
    const match = countName.exec(name)
    if (!match) continue
    const day = Number(match[2])
    if (match[1] === 'u' || !isKept(day, today)) outdated.push(name)
    if (match[1] === 'k' && isKept(day, today))
      days.push({ day, kept: Number(item?.[name]), unread: Number(item?.[unread(day)] ?? 0) })
  }
  days.sort((a, b) => b.day - a.day)
  return { version: Number(item?.version ?? 0), epoch: Number(item?.epoch ?? 0), days, outdated }
}

export const totalOf = ({ days }: BellState, count: 'kept' | 'unread'): number =>
  days.reduce((sum, day) => sum + day[count], 0)

const inEpoch = (epoch: number) => (epoch === 0 ? lacks('epoch') : equals('epoch', epoch))

/** Counts a new notification, on condition of the epoch. */
export const countNew = (tenant: TenantRef, userId: number, epoch: number, day: number): Write => ({
  update: bellStateKey(tenant, userId),
  change: {
    expression: 'SET #kind = :kind, #v = :one, #user = :user ADD #version :one, #kept :one, #unread :one',
    names: {
      '#kind': 'kind',
      '#v': 'v',
      '#user': 'user_id',
      '#version': 'version',
      '#kept': kept(day),
      '#unread': unread(day),
    },
    values: { ':kind': 'bell', ':one': 1, ':user': userId },
  },
  if: inEpoch(epoch),
})

/** Counts a notification of this epoch as read. */
export const countRead = (tenant: TenantRef, userId: number, epoch: number, day: number): Write => ({
  update: bellStateKey(tenant, userId),
  change: {
    expression: 'ADD #version :one, #unread :less',
    names: { '#version': 'version', '#unread': unread(day) },
    values: { ':one': 1, ':less': -1 },
  },
  if: inEpoch(epoch),
})

/** Begins a new epoch, on condition of the version. */
export const beginEpoch = (tenant: TenantRef, userId: number, { version, outdated }: BellState): Write => ({
  update: bellStateKey(tenant, userId),
  change: {
    expression: `ADD #version :one, #epoch :one${outdated.length > 0 ? ` REMOVE ${outdated.join(', ')}` : ''}`,
    names: { '#version': 'version', '#epoch': 'epoch' },
    values: { ':one': 1 },
  },
  if: version === 0 ? isNew : atVersion(version),
})
