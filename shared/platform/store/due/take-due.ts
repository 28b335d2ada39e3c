import { mayFail } from '../../../kernel/runtime/log.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import { dueAtOf, keyOfItem } from '../keys/key.ts'
import { dueSlot, dueTaken, moveInSlot, slotSort, sortedAt } from '../slots.ts'
import type { Store } from '../store.ts'
import { deploymentWide } from '../store.ts'
import type { Item } from '../values/marshal.ts'
import { ConditionFailed } from '../writes/refusals.ts'
import { dueItems } from './due-items.ts'

export interface TakeDependencies {
  readonly store: Pick<Store, 'query' | 'update'>
  readonly clock: Pick<Clock, 'now'>
  /** Hears for each item that is taken how long ago it became due, all its earlier takes included. */
  readonly tellWait?: (seconds: number) => void
}

/** An item that was taken. */
interface Taken {
  /** Its keys as they were in the index, with the time at which it was due. */
  readonly entry: Item
  /** All of it, as it is since. */
  readonly item: Item
  /** How long ago it was due first. */
  readonly waitedMs: number
}

/** When an item is due again that was taken and did not leave the index: twice as late with every further time. */
const firstAgainMs = 2 * 60_000
const maxAgainMs = 3_600_000
const takenAtOnce = 25

/**
 * Takes the items of any tenant that are due within `withinMs`, at most `limit` a partition, oldest first: it answers
 * them as they were, and moves their due times, so that an item whose work always fails neither hides others nor is sent
 * every minute. An item that another sweep took, or whose work is done, is left out.
 */
export async function takeDue(
  services: TakeDependencies,
  partitions: readonly string[],
  limit: number,
  withinMs = 0,
): Promise<Item[]> {
  return (await takeDueItems(services, partitions, limit, withinMs)).map(({ entry }) => entry)
}

/** The same for work that needs the items themselves, as they are since they were taken. */
export async function takeDueItems(
  { store, clock, tellWait }: TakeDependencies,
  partitions: readonly string[],
  limit: number,
  withinMs = 0,
): Promise<Taken[]> {
  const entries = (await dueItems(store, partitions, isoTime(clock.now() + withinMs), limit)).flat()
  const taken: Taken[] = []
  for (let start = 0; start < entries.length; start += takenAtOnce) {
    const some = entries.slice(start, start + takenAtOnce)
    // One item that cannot be moved must not keep all others from their work.
    const won = await Promise.all(
      some.map((entry) => mayFail('take a due item', () => take(store, entry, clock.now()))),
    )
    taken.push(...won.filter((one) => one !== undefined))
  }
  for (const { waitedMs } of taken) tellWait?.(Math.round(waitedMs / 1000))
  return taken
}

/** For how long an item waits that was taken so many times. */
const waitAfter = (times: number): number => Math.min(maxAgainMs, firstAgainMs * 2 ** (times - 1))

/** The waits of an item before it was taken for so many times. */
function waitsBefore(times: number): number {
  let sum = 0
  for (let n = 1; n < times; n += 1) sum += waitAfter(n)
  return sum
}

async function take(store: Pick<Store, 'update'>, entry: Item, nowMs: number): Promise<Taken | undefined> {
  const sort = slotSort(entry, dueSlot)
  const dueAtMs = Math.max(nowMs, Date.parse(dueAtOf(sort)))
  const again = (times: number): string => isoTime(dueAtMs + waitAfter(times)) + sort.slice(dueAtOf(sort).length)
  const move = async (from: string, to: string, counted: string): Promise<Item> => {
    const moved = moveInSlot(dueSlot, to)
    return store.update(deploymentWide, {
      update: keyOfItem(entry),
      change: {
        expression: `SET ${moved.expression}${counted}`,
        values: { ...moved.values, ...(counted !== '' && { ':one': 1 }) },
      },
      if: sortedAt(dueSlot, from),
    })
  }
  try {
    const item = await move(sort, again(1), ` ADD ${dueTaken} :one`)
    const times = Number(item[dueTaken])
    const waitedMs = dueAtMs - Date.parse(dueAtOf(sort)) + waitsBefore(times)
    return { entry, item: times > 1 ? await move(again(1), again(times), '') : item, waitedMs }
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined
    throw error
  }
}
