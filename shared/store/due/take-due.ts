import { type Clock, isoTime } from '../../kernel/clock.ts'
import { dueAtOf, keyOfItem } from '../keys/key.ts'
import type { Item } from '../marshal.ts'
import { ConditionFailed } from '../refusals.ts'
import { dueSlot, moveInSlot, slotSort, sortedAt } from '../slots.ts'
import type { Store } from '../store.ts'
import { deploymentWide } from '../store.ts'
import { dueItems } from './due-items.ts'

export interface TakeDependencies {
  readonly store: Pick<Store, 'query' | 'update'>
  readonly clock: Pick<Clock, 'now'>
}

/** When an item is due again that was taken and did not leave the index: twice as late with every further time. */
const firstAgainMs = 2 * 60_000
const longestAgainMs = 3_600_000
const takenAtOnce = 25

/**
 * Takes the items of any tenant that are due within `withinMs`, at most `limit` a partition, oldest first: it answers
 * them as they were, and moves their due times, so that an item whose work always fails neither hides others nor is sent
 * every minute. An item that another sweep took, or whose work is done, is left out.
 */
export async function takeDue(
  { store, clock }: TakeDependencies,
  partitions: readonly string[],
  limit: number,
  withinMs = 0,
): Promise<Item[]> {
  const items = (await dueItems(store, partitions, isoTime(clock.now() + withinMs), limit)).flat()
  const taken: Item[] = []
  for (let start = 0; start < items.length; start += takenAtOnce) {
    const some = items.slice(start, start + takenAtOnce)
    const won = await Promise.all(some.map((item) => take(store, item, clock.now())))
    taken.push(...some.filter((_, index) => won[index]))
  }
  return taken
}

async function take(store: Pick<Store, 'update'>, item: Item, nowMs: number): Promise<boolean> {
  const sort = slotSort(item, dueSlot)
  const dueAtMs = Math.max(nowMs, Date.parse(dueAtOf(sort)))
  const again = (times: number): string =>
    isoTime(dueAtMs + Math.min(longestAgainMs, firstAgainMs * 2 ** (times - 1))) + sort.slice(dueAtOf(sort).length)
  const move = async (from: string, to: string, counted: string): Promise<Item> => {
    const moved = moveInSlot(dueSlot, to)
    return store.update(deploymentWide, {
      update: keyOfItem(item),
      change: {
        expression: `SET ${moved.expression}${counted}`,
        values: { ...moved.values, ...(counted !== '' && { ':one': 1 }) },
      },
      if: sortedAt(dueSlot, from),
    })
  }
  try {
    const times = Number((await move(sort, again(1), ' ADD due_taken :one')).due_taken)
    if (times > 1) await move(again(1), again(times), '')
    return true
  } catch (error) {
    if (error instanceof ConditionFailed) return false
    throw error
  }
}
