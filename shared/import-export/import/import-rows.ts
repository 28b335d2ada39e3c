import { Conflict } from '../../kernel/faults.ts'
import type { Actor, RecordDependencies } from '../../records/service.ts'
import type { Table } from '../../tables/service.ts'
import { checkRows, type CheckedRow, type HeldValues } from './check-rows.ts'
import { feedPace } from './feed-pace.ts'
import { readProgress, type ImportProgress } from './import-progress.ts'
import { storeRows } from './store-rows.ts'

/** Rows checked together: as many as one transaction can store; fewer when scripts take their time over each. */
const rowsTogether = 98
const hookedRowsTogether = 24
/** After hooks of so many rows run side by side. */
const hooksSideBySide = 4
const busyPauseMs = 250

/**
 * Goes on with an import from where it stands until all rows are stored or refused, or time is up. `rows` begin with the row
 * numbered `offset`. The next rows are checked while the ones before are being stored.
 */
export async function importRows(
  deps: RecordDependencies,
  actor: Actor,
  table: Table,
  rows: readonly unknown[],
  offset: number,
  start: ImportProgress,
  timeIsUp: () => boolean,
): Promise<ImportProgress> {
  const { store, clock } = deps
  const pace = feedPace(store, clock, actor.tenant, table.name)
  const held: HeldValues = new Map()
  const together = table.automations.some(({ kind, is_active }) => is_active && kind === 'before_create')
    ? hookedRowsTogether
    : rowsTogether
  const check = (from: number): Promise<CheckedRow[]> => {
    const checking = checkRows(deps, actor, table, rows.slice(from - offset, from - offset + together), from, held)
    // Whatever comes of it is seen when it is waited for, if it is.
    checking.catch(() => {})
    return checking
  }

  let progress = start
  let waiting: CheckedRow[] = []
  let checking = check(progress.nextRow)
  while (progress.nextRow < progress.total && !timeIsUp()) {
    if (waiting.length === 0) {
      waiting = await checking
      checking = check(progress.nextRow + waiting.length)
    }
    await pace.keep()
    const outcome = await storeRows(deps, actor, table, progress, waiting).catch(whenBusy)
    if (outcome === 'busy') {
      await clock.sleep(busyPauseMs)
    } else if (outcome === 'somebody else went on') {
      progress = await reload(progress)
      waiting = []
      checking = check(progress.nextRow)
    } else {
      progress = outcome.progress
      waiting = waiting.filter(({ row }) => row >= progress.nextRow)
      const last = outcome.stored.at(-1)
      if (last) pace.stored(last.record.id, outcome.stored.length)
      await runAfterHooks(outcome.stored)
    }
  }
  return progress

  async function reload({ key }: ImportProgress): Promise<ImportProgress> {
    const current = readProgress(key, await store.get(actor.tenant, key), clock.now())
    if (!current) throw new Conflict('write_conflict', 'The import is gone.')
    return current
  }
}

/** Too many writes at once for the table: the import is who can wait. */
function whenBusy(error: unknown): 'busy' {
  if (error instanceof Conflict) return 'busy'
  throw error
}

async function runAfterHooks(
  stored: Extract<Awaited<ReturnType<typeof storeRows>>, { stored: unknown }>['stored'],
): Promise<void> {
  const open = [...stored]
  const worker = async (): Promise<void> => {
    for (let one = open.shift(); one; one = open.shift()) await one.operation.after(one.record, undefined, one.item)
  }
  await Promise.all(Array.from({ length: hooksSideBySide }, worker))
}
