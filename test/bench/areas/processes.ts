/**
 * The CPU cost of a process step and the size of its state. `node test/bench/areas/processes.ts [runs]` exits with 1 when a
 * bound is missed.
 */
import { gzipSync } from 'node:zlib'
import { advanceProcess, startProcess } from '../../../shared/automation/bpmn/process.ts'
import type { Advance, EngineHost } from '../../../shared/automation/bpmn/schema.ts'
import { compileOnly, flows } from '../../make/builders/processes/engine-documents.ts'

const runs = Number(process.argv[2] ?? 200)
const missed: string[] = []

function report(what: string, value: number, unit: string, bound = Infinity): void {
  console.log(
    `${what.padEnd(60)}${value.toFixed(2).padStart(10)} ${unit}${bound === Infinity ? '' : `  (bound ${bound})`}`,
  )
  if (value > bound) missed.push(what)
}

const host: EngineHost = { now: () => 0, evaluate: async () => true, perform: async () => undefined }

const inRow = Array.from({ length: 20 }, (_, i) =>
  i % 5 === 4 ? `<userTask id="a${i}"/>` : `<scriptTask id="a${i}"/>`,
).join('')
const row = `<startEvent id="s"/>${inRow}<endEvent id="e"/>${flows(['s', ...Array.from({ length: 20 }, (_, i) => `a${i}`), 'e'].join(' -> '))}`
const atOnce = `<startEvent id="s"/><parallelGateway id="f"/><parallelGateway id="j"/>${Array.from({ length: 20 }, (_, i) => `<userTask id="approve_part_${i}"/>${flows(`f -> approve_part_${i} -> j`)}`).join('')}${flows('s -> f')}`

/** CPU milliseconds of one run, on average. */
async function cpuOf(action: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (let i = 0; i < runs; i++) await action()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / runs
}

for (const [name, content] of Object.entries({ 'in a row': row, 'at once': atOnce })) {
  const compiled = JSON.stringify(await compileOnly(content))
  const kept = JSON.parse(compiled) as Awaited<ReturnType<typeof compileOnly>>
  const started = await startProcess(kept, host)
  const stored = JSON.stringify(started.state)
  const advance = async (process = kept): Promise<string> => {
    const state = JSON.parse(stored) as Advance['state']
    const next = await advanceProcess(process, host, state, [
      { kind: 'complete', executionId: started.waits[0]?.executionId ?? '' },
    ])
    return JSON.stringify(next.state)
  }
  await cpuOf(() => startProcess(kept, host))
  await cpuOf(() => advance())
  console.log(`20 activities ${name}`)
  report('  start, parsing the stored process', await cpuOf(() => startProcess(JSON.parse(compiled), host)), 'ms', 40)
  report('  start', await cpuOf(() => startProcess(kept, host)), 'ms', 40)
  report('  one advance, parsing the stored process', await cpuOf(() => advance(JSON.parse(compiled))), 'ms', 25)
  report('  one advance', await cpuOf(() => advance()), 'ms', 25)
  report('  state', stored.length, 'bytes', 6_000)
  report('  state, gzip', gzipSync(stored).length, 'bytes')
  report('  compiled process', compiled.length, 'bytes')
}

if (missed.length > 0) {
  console.error(`Bounds missed: ${missed.join('; ')}`)
  process.exitCode = 1
}
