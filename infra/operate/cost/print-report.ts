import type { Bill } from './bill.ts'
import type { CostReport } from './cost-report.ts'

/** The report as text: operations, customers, the idle deployment. */
export function printReport(report: CostReport): string {
  const { prices, mixture, operations, customers, idle, functions, storedBytesPerRecord: stored } = report
  const kinds = ['alarm', 'queue', 'schedule']
  const grouped = kinds.map((kind) => {
    const ofKind = idle.items.filter(({ item }) => item.startsWith(`${kind} `))
    return [
      `${ofKind.length} ${kind}s`,
      dollars(sum(ofKind)),
      [...new Set(ofKind.map(({ basis }) => basis))].join('; '),
    ]
  })
  const others = idle.items.filter(({ item }) => !kinds.some((kind) => item.startsWith(`${kind} `)))
  return [
    `List prices of ${prices.region}, taken on ${prices.takenOn}: check them (infra/operate/cost/prices.ts).`,
    'Without taxes, support and discounts. What is assumed is in infra/operate/cost/assumptions.ts.',
    `Measured on a table with 12 filterable fields and ${mixture.records} records, each change followed alone.`,
    '',
    'Dollars per million operations',
    table(
      ['operation', ...services(operations.map(({ perMillion }) => perMillion)), 'total', 'write units', 'read units'],
      operations.map(({ name, perMillion, quantities }) => [
        name,
        ...cells(perMillion, services(operations.map((one) => one.perMillion))),
        dollars(perMillion.usd),
        figure(quantities.writeUnits),
        figure(quantities.readUnits),
      ]),
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
      ['customer', 'agents', 'records', ...services(customers.map(({ bill }) => bill)), 'total', 'with free tier'],
      customers.map(({ name, agents, records, bill, billWithFreeTier }) => [
        name,
        String(agents),
        String(records),
        ...cells(bill, services(customers.map((one) => one.bill))),
        dollars(bill.usd),
        dollars(billWithFreeTier.usd),
      ]),
    ),
    '',
    'Dollars a month of a deployment that nobody uses',
    table(
      ['item', 'dollars', 'basis'],
      [
        ...grouped,
        ...others.map(({ item, usd, basis }) => [item, dollars(usd), basis]),
        [
          'total',
          dollars(idle.bill.usd),
          `${dollars(idle.billWithFreeTier.usd)} when the account's free amounts are unused`,
        ],
      ],
    ),
    '',
  ].join('\n')
}

const sum = (items: readonly { readonly usd: number }[]): number => items.reduce((all, { usd }) => all + usd, 0)

/** The services that cost anything in one of the bills. */
const services = (bills: readonly Bill[]): string[] => [
  ...new Set(bills.flatMap((bill) => bill.services.filter(({ usd }) => usd > 0).map(({ service }) => service))),
]

const cells = (bill: Bill, names: readonly string[]): string[] =>
  names.map((name) => dollars(bill.services.find(({ service }) => service === name)?.usd ?? 0))

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
