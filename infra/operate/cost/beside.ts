import { assumptions } from './assumptions.ts'
import { type Quantities, sumOf, times } from './bill.ts'
import { type Customer, type Mixture, operationsOf } from './customers.ts'
import type { MeasuredService } from './measured-service.ts'
import { quantitiesOf } from './quantities-of.ts'
import { type StoredSize, storedSize } from './stored-size.ts'

/** What is billed beside single operations, as far as it is measured. */
export interface MeasuredBeside {
  /** What the first filtered list of an instance reads more than the next one, by record of the table. */
  readonly coldLoad: Quantities
  /** What a nightly repair takes by record that changed: its versions are checked, and the living records counted. */
  readonly repair: Quantities
  /** Bytes that one change leaves behind. */
  readonly grownBytes: { readonly table: number; readonly indexes: number }
}

/** A line of the month of a customer. */
export interface BesideItem {
  readonly item: string
  readonly quantities: Quantities
  readonly basis: string
}

/** What changes add to the size of the table: versions in the history, and the log of columns. */
export async function measureGrowth(service: MeasuredService, { repeats }: Mixture, filled: StoredSize) {
  const patch = requestOf('patch')
  for (let n = 1; n <= repeats; n += 1) await service.send(patch(n))
  await service.cloud.idle(60_000)
  const { tableBytes, indexBytes } = await storedSize(service)
  return {
    table: Math.max(0, tableBytes - filled.tableBytes) / repeats,
    indexes: Math.max(0, indexBytes - filled.indexBytes) / repeats,
  }
}

/** Measured last: time moves on, and every instance is new afterwards. */
export async function measureNightAndColdLoad(
  service: MeasuredService,
  { records, repeats, rowsPerImport }: Mixture,
): Promise<Omit<MeasuredBeside, 'grownBytes'>> {
  const scheduled = new Set(service.deployment.schedules.map(({ functionId }) => functionId))
  const usedBy = async (work: () => Promise<unknown>, more: readonly string[] = []): Promise<Quantities> => {
    const measured = quantitiesOf(await service.measure(work), service.deployment)
    return sumOf([...measured].flatMap(([id, used]) => (scheduled.has(id) && !more.includes(id) ? [] : [used])))
  }
  const nightly = service.deployment.functions.find(({ name }) => name === 'nightly-repair')?.id ?? ''
  // A repair checks changes from the age of 15 minutes.
  await service.cloud.advance(20 * 60_000)
  const night = await usedBy(async () => {
    await service.cloud.invoke(nightly)
    await service.cloud.idle(120_000)
  }, [nightly])
  const changed = records + (repeats + 1) * (rowsPerImport + 1)

  await service.restart()
  const list = (): Promise<void> => service.send(requestOf('filtered list')(0))
  const cold = await usedBy(list)
  const warm = await usedBy(list)
  return {
    repair: times(night, 1 / changed),
    coldLoad: { readUnits: Math.max(0, (cold.readUnits ?? 0) - (warm.readUnits ?? 0)) / changed },
  }
}

/** The lines of a customer's month that no single operation has. */
export function besideItems(
  { records, operations }: Customer,
  { coldLoad, repair, grownBytes }: MeasuredBeside,
): readonly BesideItem[] {
  const { busyHours, requestSeconds, peakFactor, instanceHours, groupsInUse, initMs, initMemoryMb } = assumptions
  const requests = Object.values(operations).reduce((sum, count) => sum + count, 0)
  const instances = Math.ceil((requests / (busyHours * 3600)) * requestSeconds * peakFactor)
  const starts = (instances * busyHours) / instanceHours
  const changes = operations.create + operations.patch + operations['import row'] + operations.delete
  return [
    {
      item: 'starts of instances',
      quantities: { gbSeconds: starts * groupsInUse * (initMs / 1000) * (initMemoryMb / 1024) },
      basis: `${initMs} ms each, which Lambda bills; ${groupsInUse} functions, ${instanceHours} h for an instance`,
    },
    {
      item: 'cold column loads',
      quantities: times(coldLoad, starts * records),
      basis: 'the first list of each instance reads the columns it needs, in one table with all records',
    },
    {
      item: 'nightly repairs',
      quantities: times(repair, changes),
      basis: 'each change is checked once, and the living records of changed tables are counted',
    },
    {
      item: 'storage that a month adds',
      quantities: {
        tableGb: (changes * (grownBytes.table + grownBytes.indexes)) / 2 ** 30,
        backupGb: (changes * grownBytes.table) / 2 ** 30,
      },
      basis: 'history and log of its changes; every month adds as much again',
    },
  ]
}

function requestOf(name: string) {
  const { request } = operationsOf({ records: 0, repeats: 0, rowsPerImport: 0 }).find((one) => one.name === name) ?? {}
  if (!request) throw new Error(`the mixture has no operation ${name}`)
  return request
}
