import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Findings } from './findings.ts'
import { listGoal } from './lists/list-queries.ts'
import { wholeFigures } from './measure/whole-figures.ts'

const file = join(import.meta.dirname, 'results.json')
const page = join(import.meta.dirname, '..', '..', 'docs', 'benchmarks.md')

/** The results of one run, as committed. The next run compares itself with them. */
export interface Results {
  readonly at: string
  readonly records: number
  readonly figures: readonly {
    readonly name: string
    readonly connections: number
    readonly perSecond: number
    readonly p50Ms: number
    readonly cpuMsEach: number | null
    readonly goalCpuMs: number | null
    /** Per second, beside 50 writes a second and beside as many as are answered. */
    readonly besideWrites: readonly [number, number] | null
    readonly roundTrips: number | null
  }[]
  /** Lists that were refused. */
  readonly refused: readonly string[]
  readonly whole: readonly {
    readonly name: string
    readonly value: number
    readonly unit: string
    readonly goal: string
  }[]
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

export function resultsOf(findings: Findings): Results {
  const { records, large, lists, roundTrips } = findings
  const measured = [
    ...large.map((one) => ({ name: one.operation.name, goalCpuMs: null, besideWrites: null, one })),
    ...lists.flatMap(({ query, alone, crowd, besideSome, besideMany }) => {
      const goalCpuMs = listGoal(query, records).cpuMs
      const besideWrites =
        besideSome && besideMany ? ([rounded(besideSome.lists), rounded(besideMany.lists)] as const) : null
      return [alone, crowd].flatMap((one) => (one ? [{ name: query.name, goalCpuMs, besideWrites, one }] : []))
    }),
  ]
  return {
    at: new Date().toISOString().slice(0, 10),
    records,
    figures: measured.map(({ name, goalCpuMs, besideWrites, one }) => ({
      name,
      connections: one.connections,
      perSecond: rounded(one.perSecond),
      p50Ms: rounded(one.p50Ms, 2),
      cpuMsEach: one.cpuMsEach === undefined ? null : rounded(one.cpuMsEach, 2),
      goalCpuMs,
      besideWrites,
      roundTrips: roundTrips.get(name) ?? null,
    })),
    refused: lists.flatMap(({ query, verdict }) => (verdict.kind === 'refused' ? [query.name] : [])),
    whole: wholeFigures(findings).map(({ name, value, unit, goal }) => ({
      name,
      value: rounded(value, value < 100 ? 1 : 0),
      unit,
      goal,
    })),
  }
}

/** Saves a run as the baseline, here and in docs/benchmarks.md. */
export async function saveResults(results: Results): Promise<void> {
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`)
  const text = await readFile(page, 'utf8')
  const parts = /(<!-- bench -->\n)[\s\S]*?(<!-- \/bench -->)/
  if (!parts.test(text)) throw new Error('docs/benchmarks.md has no bench markers')
  await writeFile(
    page,
    text.replace(parts, (_whole, begin: string, end: string) => `${begin}${markdown(results)}${end}`),
  )
}

function markdown({ at, records, figures, refused, whole }: Results): string {
  const names = [...new Set(figures.map(({ name }) => name))]
  const of = (name: string, connections: number) =>
    figures.find((one) => one.name === name && one.connections === connections)
  const lines = names.map((name) => {
    const [one, many] = [of(name, 1), of(name, 16)]
    const cells = [
      one?.p50Ms,
      many?.perSecond,
      many?.besideWrites?.join(' · '),
      many?.cpuMsEach,
      many?.goalCpuMs,
      many?.roundTrips,
    ]
    return `| ${name} | ${cells.map((cell) => cell ?? '').join(' | ')} |`
  })
  return [
    `With ${records.toLocaleString('en')} records, ${at}, on two cores that also made the load:`,
    '',
    '| | alone, ms | 16 connections, per second | beside 50 · most writes | CPU ms each | goal | round trips to AWS |',
    '|---|---|---|---|---|---|---|',
    ...lines,
    ...refused.map((name) => `| ${name} | refused | | | | | |`),
    '',
    '| | | goal |',
    '|---|---|---|',
    ...whole.map(({ name, value, unit, goal }) => `| ${name} | ${value} ${unit} | ${goal} |`),
    '',
  ].join('\n')
}
