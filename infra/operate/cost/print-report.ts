import type { Bill } from './bill.ts'
import type { CostReport, IdleStage } from './cost-report.ts'

/** The report as text: operations, customers, the idle deployment. */
export function printReport(report: CostReport): string {
  const { prices, mixture, operations, customers, idle, functions, storedBytesPerRecord: stored } = report
  return [
    `List prices of ${prices.region}, taken on ${prices.takenOn}: check them (infra/operate/cost/prices.ts).`,
    'Without taxes, support and discounts. What is assumed is in infra/operate/cost/assumptions.ts.',
    `Measured on a table with 12 filterable fields and ${mixture.records} records, each change followed alone.`,
    '',
    'Dollars per million operations',
    table(
      ['', ...operations.map(({ name }) => name)],
      [
        ...byService(operations.map(({ perMillion }) => perMillion)),
        ['write units of one', ...operations.map(({ quantities }) => figure(quantities.writeUnits))],
        ['read units of one', ...operations.map(({ quantities }) => figure(quantities.readUnits))],
      ],
    ),
    '',
    'Of which by function (dollars per million; write units, read units of one operation)',
    table(
      ['function', ...operations.map(({ name }) => name)],
      functions
        .filter(({ usedBy }) => usedBy.length > 0)
        .map(({ name }) => [
          name,
          ...operations.map((operation) => {
            const used = operation.functions.find((one) => one.name === name)
            if (!used) return ''
            const { writeUnits, readUnits } = used.quantities
            return `${dollars(used.usdPerMillion)} (${figure(writeUnits)}, ${figure(readUnits)})`
          }),
        ]),
    ),
    `Not run by them: ${functions
      .filter(({ usedBy }) => usedBy.length === 0)
      .map(({ name }) => name)
      .join(', ')}.`,
    '',
    `Dollars a month, the idle deployment included; a record takes ${Math.round(stored.table)} bytes and ${Math.round(stored.indexes)} in indexes`,
    table(
      ['', ...customers.map(({ name, agents }) => `${name}, ${agents} agents`)],
      [
        ['records', ...customers.map(({ records }) => String(records))],
        ...byService(customers.map(({ bill }) => bill)),
        ['with free tier', ...customers.map(({ billWithFreeTier }) => dollars(billWithFreeTier.usd))],
      ],
    ),
    '',
    'Of which, beside single operations',
    table(
      ['', ...customers.map(({ name }) => name), 'basis'],
      (customers[0]?.beside ?? []).map(({ item, basis }, at) => [
        item,
        ...customers.map(({ beside }) => dollars(beside[at]?.usd ?? 0)),
        basis,
      ]),
    ),
    '',
    'Dollars a month of a deployment that nobody uses',
    idleTable(idle),
    '',
    'The same with Production=false: no dashboard, and queues without a maximum concurrency',
    idleTable(report.idleTrial),
    '',
    'The monthly sums by region',
    table(
      ['', 'idle', 'Production=false', ...customers.map(({ name }) => name)],
      report.regions.map(({ region, idleUsd, idleTrialUsd, customersUsd }) => [
        region,
        ...[idleUsd, idleTrialUsd, ...customersUsd].map(dollars),
      ]),
    ),
    '',
  ].join('\n')
}

const sum = (items: readonly { readonly usd: number }[]): number => items.reduce((all, { usd }) => all + usd, 0)

function idleTable({ items, bill, billWithFreeTier }: IdleStage): string {
  const kinds = ['alarm', 'queue', 'schedule']
  const grouped = kinds.map((kind) => {
    const ofKind = items.filter(({ item }) => item.startsWith(`${kind} `))
    return [
      `${ofKind.length} ${kind}s`,
      dollars(sum(ofKind)),
      [...new Set(ofKind.map(({ basis }) => basis))].join('; '),
    ]
  })
  const others = items.filter(({ item }) => !kinds.some((kind) => item.startsWith(`${kind} `)))
  return table(
    ['item', 'dollars', 'basis'],
    [
      ...grouped,
      ...others.map(({ item, usd, basis }) => [item, dollars(usd), basis]),
      ['total', dollars(bill.usd), `${dollars(billWithFreeTier.usd)} when the account's free amounts are unused`],
    ],
  )
}

/** A row for each service that costs anything in one of the bills, and their totals. */
function byService(bills: readonly Bill[]): string[][] {
  const names = new Set(
    bills.flatMap(({ services }) => services.filter(({ usd }) => usd > 0).map(({ service }) => service)),
  )
  const costIn = (bill: Bill, name: string): number => bill.services.find(({ service }) => service === name)?.usd ?? 0
  return [
    ...[...names].map((name) => [name, ...bills.map((bill) => dollars(costIn(bill, name)))]),
    ['total', ...bills.map(({ usd }) => dollars(usd))],
  ]
}

const dollars = (usd: number): string => (usd > 0 && usd < 0.005 ? '<0.01' : usd.toFixed(2))
const figure = (amount = 0): string => String(Math.round(amount * 10) / 10)

/** Columns of equal width: words to the left, figures to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const isText = (at: number): boolean => at === 0 || head[at] === 'basis'
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => (isText(at) ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
      .join('  ')
      .trimEnd()
  return [head, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n')
}
