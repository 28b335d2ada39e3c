import { beforeAll, describe, expect, it } from 'vitest'
import { deployedFunctions } from '../../../infra/catalogue/functions.ts'
import { assemble } from '../../../infra/local/template/assemble.ts'
import { billOf, sumOf, times } from '../../../infra/operate/cost/bill.ts'
import { type CostReport, measureCost } from '../../../infra/operate/cost/cost-report.ts'
import { readDeployment } from '../../../infra/operate/cost/deployment.ts'
import { printReport } from '../../../infra/operate/cost/print-report.ts'

let report: CostReport
let text: string
beforeAll(async () => {
  report = await measureCost({ records: 10, repeats: 2, rowsPerImport: 5 })
  text = printReport(report)
})

const operation = (name: string) => report.operations.find((one) => one.name === name)!

describe('npm run cost', () => {
  it('prices each operation, split by service and by the functions that follow the change', () => {
    expect(report.operations.map(({ name }) => name)).toEqual([
      'create',
      'patch',
      'get',
      'list',
      'filtered list',
      'search',
      'import row',
      'delete',
    ])
    expect(operation('get').functions.map(({ name }) => name)).toEqual(['records'])
    expect(operation('get').quantities).toMatchObject({
      httpRequests: 1,
      invocations: 1,
      writeUnits: 0,
      sqsRequests: 0,
    })
    expect(operation('create').functions.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['records', 'audit', 'fan-out']),
    )
    expect(operation('import row').quantities.httpRequests).toBe(1 / 5)
    for (const { quantities, functions, perMillion } of report.operations) {
      expect(quantities.logGb).toBeGreaterThan(0)
      expect(quantities.gbSeconds).toBeGreaterThan(0)
      expect(sumOf(functions.map((one) => one.quantities)).readUnits).toBeCloseTo(quantities.readUnits!, 9)
      expect(functions.reduce((sum, one) => sum + one.usdPerMillion, 0)).toBeCloseTo(perMillion.usd, 6)
      expect(perMillion.services.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(perMillion.usd, 6)
      expect(billOf(times(quantities, 1_000_000), { region: 'us-east-1' }).usd).toBeCloseTo(perMillion.usd, 6)
    }
  })

  it('adds an idle deployment and the storage to the month of a customer', () => {
    for (const { bill, billWithFreeTier, operations, beside } of report.customers) {
      const ofUse = report.operations.reduce(
        (sum, { name, perMillion }) => sum + (perMillion.usd * operations[name]) / 1_000_000,
        0,
      )
      const storage = bill.services
        .filter(({ service }) => /storage|backup/.test(service))
        .reduce((sum, { usd }) => sum + usd, 0)
      const idleStorage = report.idle.items.find(({ item }) => item === 'table and backup')!.usd
      const notStored = beside.filter(({ item }) => !item.startsWith('storage')).reduce((sum, { usd }) => sum + usd, 0)
      expect(bill.usd).toBeCloseTo(ofUse + notStored + report.idle.bill.usd - idleStorage + storage, 6)
      expect(billWithFreeTier.usd).toBeLessThan(bill.usd)
    }
    expect(report.storedBytesPerRecord.table).toBeGreaterThan(500)
  })

  it('has lines for starts of instances, cold columns, repairs, and what a month adds, which grow with the customer', () => {
    const [small, medium, large] = report.customers.map(({ beside }) => beside)
    expect(small?.map(({ item }) => item)).toEqual([
      'starts of instances',
      'cold column loads',
      'nightly repairs',
      'storage that a month adds',
    ])
    for (const [at, { item, quantities, usd }] of small!.entries()) {
      expect(
        Object.values(quantities).some((amount) => amount > 0),
        item,
      ).toBe(true)
      expect(text).toContain(item)
      expect(usd).toBeLessThanOrEqual(medium![at]!.usd)
      expect(medium![at]!.usd).toBeLessThan(large![at]!.usd)
    }
    expect(small![1]!.quantities.readUnits).toBeGreaterThan(0)
    expect(small![2]!.quantities.readUnits).toBeGreaterThan(0)
    expect(small![3]!.quantities.tableGb).toBeGreaterThan(small![3]!.quantities.backupGb!)
  })

  it('compares the regions, of which the European one costs more', () => {
    const [east, europe] = report.regions
    expect([east?.region, europe?.region]).toEqual(['us-east-1', 'eu-central-1'])
    expect(east?.idleUsd).toBe(report.idle.bill.usd)
    expect(east?.customersUsd).toEqual(report.customers.map(({ bill }) => bill.usd))
    expect(europe!.idleUsd).toBeGreaterThan(east!.idleUsd)
    expect(europe!.idleTrialUsd).toBeLessThan(10)
    expect(text).toContain('eu-central-1')
  })

  it('names every deployed function, queue, alarm and schedule, and says what it leaves idle', async () => {
    const { queues, alarms, schedules } = readDeployment((await assemble()).templateFiles)
    expect(report.functions.map(({ name }) => name).toSorted()).toEqual(
      deployedFunctions.map(({ name }) => name).toSorted(),
    )
    for (const { name } of deployedFunctions) expect(text).toMatch(new RegExp(`\\b${name}\\b`))
    const items = report.idle.items.map(({ item }) => item)
    expect(items).toEqual(
      expect.arrayContaining([...queues.map(({ id }) => `queue ${id}`), ...alarms.map(({ id }) => `alarm ${id}`)]),
    )
    expect(items.filter((item) => item.startsWith('schedule of '))).toHaveLength(schedules.length)
    expect(report.idle.items.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(report.idle.bill.usd, 6)
    expect(text).toContain(`${alarms.length} alarms`)
    expect(text).toContain(`${queues.length} queues`)
  })

  it('an idle stage to try things costs less than ten dollars a month, with every alarm', () => {
    expect(report.idleTrial.bill.usd).toBeLessThan(10)
    expect(report.idleTrial.bill.usd).toBeLessThan(report.idle.bill.usd - 3)
    const alarms = ({ items }: CostReport['idle']): string[] =>
      items.map(({ item }) => item).filter((item) => item.startsWith('alarm '))
    expect(alarms(report.idleTrial)).toEqual(alarms(report.idle))
  })

  it('is plain data as JSON', () => {
    expect(JSON.parse(JSON.stringify(report))).toEqual(report)
  })
})
