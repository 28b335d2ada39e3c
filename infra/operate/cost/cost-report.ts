import { type BesideItem, besideItems, type MeasuredBeside, measureGrowth, measureNightAndColdLoad } from './beside.ts'
import { type Bill, billOf, type Quantities, sumOf, times } from './bill.ts'
import { type Customer, customers, fixedMixture, type Mixture, type OperationName } from './customers.ts'
import { type IdleItem, idleItems, measureSchedules } from './idle.ts'
import { fillTable, measureOperations, type OperationUse } from './measure-operations.ts'
import { type MeasuredService, startMeasuredService } from './measured-service.ts'
import { type Region, regions, takenOn } from './prices.ts'
import { storedSize } from './stored-size.ts'

export interface CostReport {
  /** Where and when the list prices were taken. */
  readonly prices: { readonly region: string; readonly takenOn: string }
  readonly mixture: Mixture
  readonly operations: readonly PricedOperation[]
  readonly customers: readonly PricedCustomer[]
  readonly idle: IdleStage
  /** The same with `Production=false`. */
  readonly idleTrial: IdleStage
  /** The monthly sums in every region whose prices are known. */
  readonly regions: readonly {
    readonly region: Region
    readonly idleUsd: number
    readonly idleTrialUsd: number
    readonly customersUsd: readonly number[]
  }[]
  /** Every deployed function, with the operations that run it. */
  readonly functions: readonly {
    readonly name: string
    readonly memoryMb: number
    readonly usedBy: readonly string[]
  }[]
  readonly storedBytesPerRecord: { readonly table: number; readonly indexes: number }
}

export interface IdleStage {
  readonly items: readonly (IdleItem & { readonly usd: number })[]
  readonly bill: Bill
  /** When nothing else in the account uses the free amounts. */
  readonly billWithFreeTier: Bill
}

interface PricedOperation {
  readonly name: OperationName
  /** Of one operation. */
  readonly quantities: Quantities
  readonly perMillion: Bill
  /** By name of the function: the one that answers, and those that follow the change. */
  readonly functions: readonly {
    readonly name: string
    readonly quantities: Quantities
    readonly usdPerMillion: number
  }[]
}

interface PricedCustomer extends Customer {
  /** What no single operation has. */
  readonly beside: readonly (BesideItem & { readonly usd: number })[]
  /** A month, with the idle deployment and the storage. */
  readonly bill: Bill
  readonly billWithFreeTier: Bill
}

/** Starts the embedded service in a temporary folder, drives the mixture and prices what it used. */
export async function measureCost(mixture: Mixture = fixedMixture, region: Region = 'us-east-1'): Promise<CostReport> {
  const service = await startMeasuredService()
  try {
    const empty = await storedSize(service)
    await fillTable(service, mixture)
    const filled = await storedSize(service)
    const grownBytes = await measureGrowth(service, mixture, filled)
    const used = await measureOperations(service, mixture)
    const runs = await measureSchedules(service)
    const items = idleItems(service.deployment, runs, empty)
    const beside = { grownBytes, ...(await measureNightAndColdLoad(service, mixture)) }
    const stored = {
      table: (filled.tableBytes - empty.tableBytes) / mixture.records,
      indexes: (filled.indexBytes - empty.indexBytes) / mixture.records,
    }
    const measured: Measured = { used, idle: items, stored, beside }
    const trialItems = idleItems(service.trial, runs, empty)
    return {
      prices: { region, takenOn },
      mixture,
      operations: used.map((use) => pricedOperation(use, service, region)),
      customers: customers.map((customer) => pricedCustomer(customer, measured, region)),
      idle: idleStage(items, region),
      idleTrial: idleStage(trialItems, region),
      regions: regions.map((name) => ({
        region: name,
        idleUsd: idleStage(items, name).bill.usd,
        idleTrialUsd: idleStage(trialItems, name).bill.usd,
        customersUsd: customers.map((customer) => pricedCustomer(customer, measured, name).bill.usd),
      })),
      functions: service.deployment.functions.map(({ id, name, memoryMb }) => ({
        name,
        memoryMb,
        usedBy: used.filter(({ functions }) => functions.has(id)).map((use) => use.name),
      })),
      storedBytesPerRecord: stored,
    }
  } finally {
    await service.stop()
  }
}

function idleStage(items: readonly IdleItem[], region: Region): IdleStage {
  const sum = sumOf(items.map(({ quantities }) => quantities))
  return {
    items: items.map((item) => ({ ...item, usd: billOf(item.quantities, { region }).usd })),
    bill: billOf(sum, { region }),
    billWithFreeTier: billOf(sum, { region, isFreeTierUnused: true }),
  }
}

function pricedOperation(
  { name, total, functions }: OperationUse,
  { deployment }: MeasuredService,
  region: Region,
): PricedOperation {
  return {
    name,
    quantities: total,
    perMillion: billOf(times(total, 1_000_000), { region }),
    functions: deployment.functions.flatMap(({ id, name: functionName }) => {
      const quantities = functions.get(id)
      return quantities
        ? [{ name: functionName, quantities, usdPerMillion: billOf(times(quantities, 1_000_000), { region }).usd }]
        : []
    }),
  }
}

interface Measured {
  readonly used: readonly OperationUse[]
  readonly idle: readonly IdleItem[]
  readonly stored: CostReport['storedBytesPerRecord']
  readonly beside: MeasuredBeside
}

function pricedCustomer(customer: Customer, { used, idle, stored, beside }: Measured, region: Region): PricedCustomer {
  const more = besideItems(customer, beside)
  const gb = customer.records / 2 ** 30
  const month = sumOf([
    ...used.map(({ name, total }) => times(total, customer.operations[name])),
    ...idle.map(({ quantities }) => quantities),
    ...more.map(({ quantities }) => quantities),
    { tableGb: gb * (stored.table + stored.indexes), backupGb: gb * stored.table },
  ])
  return {
    ...customer,
    beside: more.map((item) => ({ ...item, usd: billOf(item.quantities, { region }).usd })),
    bill: billOf(month, { region }),
    billWithFreeTier: billOf(month, { region, isFreeTierUnused: true }),
  }
}
