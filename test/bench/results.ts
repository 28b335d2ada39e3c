import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Findings } from './findings.ts'

const file = join(import.meta.dirname, 'results.json')
const readme = join(import.meta.dirname, '..', '..', 'README.md')

/** The results of one run, as committed. The next run compares itself with them. */
export interface Results {
  readonly at: string
  readonly records: number
  readonly figures: readonly {
    readonly name: string
    readonly connections: number
    readonly perSecond: number
    readonly cpuMsEach: number | null
    readonly roundTrips: number | null
  }[]
  readonly imported: { readonly answeredPerSecond: number; readonly drainedPerSecond: number; readonly lagMs: number }
  readonly rssMb: number
}

export async function previousResults(): Promise<Results | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Results
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const rounded = (value: number, digits = 0): number => Number(value.toFixed(digits))

export function resultsOf(
  { large, imported }: Findings,
  roundTrips: ReadonlyMap<string, number>,
  rssMb: number,
): Results {
  return {
    at: new Date().toISOString().slice(0, 10),
    records: large.records,
    figures: large.measured.map(({ operation, connections, perSecond, cpuMsEach }) => ({
      name: operation.name,
      connections,
      perSecond: rounded(perSecond),
      cpuMsEach: cpuMsEach === undefined ? null : rounded(cpuMsEach, 2),
      roundTrips: roundTrips.get(operation.name) ?? null,
    })),
    imported: {
      answeredPerSecond: rounded(imported.answeredPerSecond),
      drainedPerSecond: rounded(imported.drainedPerSecond),
      lagMs: rounded(imported.lagMs.worst),
    },
    rssMb: rounded(rssMb),
  }
}

/** Saves a run as the baseline, here and in the README. */
export async function saveResults(results: Results): Promise<void> {
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`)
  const text = await readFile(readme, 'utf8')
  const parts = /(<!-- bench -->\n)[\s\S]*?(<!-- \/bench -->)/
  if (!parts.test(text)) throw new Error('README.md has no bench markers')
  await writeFile(
    readme,
    text.replace(parts, (_whole, begin: string, end: string) => `${begin}${markdown(results)}${end}`),
  )
}

function markdown({ at, records, figures, imported, rssMb }: Results): string {
  const names = [...new Set(figures.map(({ name }) => name))]
  const of = (name: string, connections: number) =>
    figures.find((one) => one.name === name && one.connections === connections)
  const lines = names.map((name) => {
    const [one, many] = [of(name, 1), of(name, 16)]
    return `| ${name} | ${one?.perSecond ?? ''} | ${many?.perSecond ?? ''} | ${many?.cpuMsEach ?? ''} | ${many?.roundTrips ?? ''} |`
  })
  return [
    `With ${records.toLocaleString('en')} records, ${at}, on two cores that also made the load:`,
    '',
    '| | per second, 1 connection | 16 connections | CPU ms each | round trips to AWS, table of 40 records |',
    '|---|---|---|---|---|',
    ...lines,
    `| import, rows to the answer · until all is drained | | ${imported.answeredPerSecond} · ${imported.drainedPerSecond} | | |`,
    '',
    `Memory stayed below ${rssMb} MB; while the import ran, the history of another change lagged by ${imported.lagMs} ms at worst.`,
    '',
  ].join('\n')
}
