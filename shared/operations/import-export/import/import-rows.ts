import { Conflict } from '../../../kernel/failures/faults.ts'
import { Throttled } from '../../../kernel/throttling/throttled.ts'
import type { Actor } from '../../../records/records/actor.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { appendToLog, type ColumnLog, feedBackPressure } from './append-to-log.ts'
import { checkRows, type SeenValues } from './check-rows.ts'
import { type ImportProgress, readProgress } from './import-progress.ts'
import type { KeyedDependencies } from './keyed/find-by-key.ts'
import type { ImportPlan } from './keyed/import-plan.ts'
import { openTitles } from './keyed/reference-titles.ts'
import { updateRows } from './keyed/update-rows.ts'
import type { CheckedRow } from './outcomes/row-outcome.ts'
import { type StoreOutcome, storeRows } from './store-rows.ts'

/** Rows checked together: as many as one transaction stores; with hooks fewer, until a batch shows that they are quick. */
const batchRows = 98
const hookedBatchRows = 24
const quickMs = 500
/** For how many rows after hooks run in parallel. */
const parallelHooks = 4
const busyPauseMs = 250
const maxPauseMs = 4000
/** How often the records of rows are found again because somebody else was faster with a key. */
const maxFinds = 3

/** How far an import came, and whether it ended because its table was changed or removed since the rows were checked. */
interface Imported {
  readonly progress: ImportProgress
  readonly tableChanged: boolean
}

/**
 * Resumes an import until all rows are stored or refused, time is up, or the table is another one. `rows` start with row
 * number `offset`. The next batch is checked while the previous one is being stored.
 */
export async function importRows(
  records: KeyedDependencies & { readonly columnLog: ColumnLog },
  actor: Actor,
  table: Table,
  plan: ImportPlan,
  rows: readonly unknown[],
  offset: number,
  start: ImportProgress,
  timeIsUp: () => boolean,
): Promise<Imported> {
  const { store, clock } = records
  const backPressure = feedBackPressure(store, clock, actor.tenant, table.name)
  const log = appendToLog(records.columnLog, actor.tenant, table)
  const seen: SeenValues = new Map()
  const readTitles = plan.readsTitles ? openTitles(records, actor, table) : undefined
  const isHooked =
    !plan.isLegacy && table.automations.some(({ kind, is_active }) => is_active && kind === 'before_create')
  let batch = isHooked ? hookedBatchRows : batchRows
  const check = (from: number): Promise<CheckedRow[]> => {
    const beganMs = clock.now()
    const some = rows.slice(from - offset, from - offset + batch)
    const checking = checkRows(records, actor, table, plan, some, from, seen, { readTitles }).then((checked) => {
      if (isHooked) batch = clock.now() - beganMs < quickMs ? Math.min(batchRows, batch * 2) : hookedBatchRows
      return checked
    })
    // A failure is thrown where the promise is awaited.
    checking.catch(() => {})
    return checking
  }

  let progress = start
  let waiting: CheckedRow[] = []
  let busyTimes = 0
  let finds = 0
  // Whoever worked before may have written some of the first records.
  let mayRepeat = true
  let checking = check(progress.nextRow)
  while (progress.nextRow < progress.total && !timeIsUp()) {
    if (waiting.length === 0) {
      const checked = await checking.catch(whenBusy)
      if (checked === 'busy') {
        await pause()
        checking = check(progress.nextRow)
        continue
      }
      waiting = checked
      checking = check(progress.nextRow + waiting.length)
    }
    await backPressure.wait()
    const updated = await updateRows(records, actor, table, plan, waiting, { mayRepeat }).catch(whenBusy)
    if (updated === 'busy') {
      mayRepeat = true
      await pause()
      continue
    }
    waiting = updated
    const findsAgain = plan.mode === 'upsert' && finds < maxFinds
    const outcome = await storeRows(records, actor, table, progress, waiting, { plan, findsAgain }).catch(whenBusy)
    if (outcome === 'busy') {
      await pause()
    } else if (outcome === 'other table') {
      await log.ended()
      return { progress, tableChanged: true }
    } else if (outcome === 'stale') {
      progress = await reload(progress)
      waiting = []
      mayRepeat = true
      checking = check(progress.nextRow)
    } else if (outcome === 'key taken') {
      finds += 1
      waiting = []
      mayRepeat = true
      checking = check(progress.nextRow)
    } else {
      busyTimes = 0
      finds = 0
      mayRepeat = waiting.some(({ row }) => row >= outcome.progress.nextRow)
      progress = outcome.progress
      waiting = waiting.filter(({ row }) => row >= progress.nextRow)
      await log.add(outcome.stored)
      const last = outcome.stored.at(-1)
      if (last) backPressure.stored(last.record.id, outcome.stored.length)
      await runAfterHooks(outcome.stored)
    }
  }
  await log.ended()
  return { progress, tableChanged: false }

  /** Waits longer each time in a row, so that the import leaves what the table can take to the others. */
  async function pause(): Promise<void> {
    busyTimes += 1
    await clock.sleep(Math.min(maxPauseMs, busyPauseMs * 2 ** (busyTimes - 1)) * (0.5 + clock.random() / 2))
  }

  async function reload({ key }: ImportProgress): Promise<ImportProgress> {
    const current = readProgress(key, await store.get(actor.tenant, key), clock.now())
    if (!current) throw new Conflict('write_conflict', 'The import has expired. Send the remaining rows again.')
    return current
  }
}

/** Too many concurrent writes to the table, or a provider that throttles: the import waits and retries. */
function whenBusy(error: unknown): 'busy' {
  if (error instanceof Conflict || error instanceof Throttled) return 'busy'
  throw error
}

async function runAfterHooks(stored: Extract<StoreOutcome, { stored: unknown }>['stored']): Promise<void> {
  const open = [...stored]
  const worker = async (): Promise<void> => {
    for (let one = open.shift(); one; one = open.shift()) await one.operation.after(one.record, undefined, one.item)
  }
  await Promise.all(Array.from({ length: parallelHooks }, worker))
}
