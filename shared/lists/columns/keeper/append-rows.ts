import type { Store } from '../../../platform/store/store.ts'
import { isNew } from '../../../platform/store/writes/conditions.ts'
import { ConditionFailed } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { logItem, type LogHead, type LogRow, packRows, readLogHead } from '../log-entry.ts'
import { readHead } from '../log-head.ts'
import { readManifest } from '../manifest.ts'
import type { KeptTable } from './keeper-limits.ts'

/**
 * Longer than other writes are retried: while a large import is indexed, many append to the log of one table, and a
 * batch that gives up is delivered and prepared again.
 */
const appendForMs = 15_000
/** How long an append waits for one of the same process: that one may have ended without an answer. */
const waitForOthersMs = 5_000
/** The last append of each table that is in flight in this process. */
const underWay = new WeakMap<Store, Map<string, Promise<unknown>>>()

/**
 * Appends what records became to the log of their table, and answers its new head. Rows that were appended before, or that
 * are older than appended ones, do no harm. Throws Conflict when others keep appending.
 *
 * The head is read before each append and again after it. Between the two others may append, fold and remove entries, and
 * an entry in the place of a removed one would never be read. Behind a removed entry there always is a later one, so an
 * entry that is the last one now was put at the end.
 */
export const appendRows = (kept: KeptTable, rows: readonly LogRow[]): Promise<LogHead> =>
  afterOthers(kept, () => append(kept, rows))

/**
 * One after the other, the appends of a process to a table need no retries. Right without it too: other processes do not
 * wait.
 */
function afterOthers<T>({ store, clock, tenant, model }: KeptTable, run: () => Promise<T>): Promise<T> {
  const tables = underWay.get(store) ?? new Map<string, Promise<unknown>>()
  underWay.set(store, tables)
  const name = `${tenant.id}#${model}`
  const before = tables.get(name)
  const own = before ? Promise.race([before, clock.sleep(waitForOthersMs)]).then(run) : run()
  const ended = own
    .catch(() => undefined)
    .then(() => {
      if (tables.get(name) === ended) tables.delete(name)
    })
  tables.set(name, ended)
  return own
}

async function append(kept: KeptTable, rows: readonly LogRow[]): Promise<LogHead> {
  const { store, clock, tenant, model } = kept
  let last = await readHead(store, tenant, model)
  for (const packed of packRows(rows)) {
    const writeId = clock.uuid()
    last = await retryWithJitter(
      clock,
      async (again) => {
        const item = logItem(tenant, model, last, packed, writeId)
        try {
          await store.write(tenant, { put: item, if: isNew })
        } catch (error) {
          if (!(error instanceof ConditionFailed)) throw error
          last = await readHead(store, tenant, model)
          return again(error)
        }
        const written = readLogHead(item)
        const head = await readHead(store, tenant, model)
        if (head.seq === written.seq || !(await wasFolded(kept, written))) return written
        last = head
        return again(new Error('the entry may be in the place of one that was folded'))
      },
      appendForMs,
    )
  }
  return last
}

/** Whether the place of an entry belongs to what is folded. An entry that was folded just now is appended once more. */
const wasFolded = async ({ store, tenant, model }: KeptTable, { seq }: LogHead): Promise<boolean> =>
  (await readManifest(store, tenant, model)).folded >= seq
