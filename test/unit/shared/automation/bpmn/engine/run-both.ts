import { expect } from 'vitest'
import { advanceProcess, startProcess } from '../../../../../../shared/automation/bpmn/process.ts'
import type { ActivityEvent, Advance, EngineHost } from '../../../../../../shared/automation/bpmn/schema.ts'
import { compileOnly, documentOf } from '../../../../../make/builders/processes/engine-documents.ts'
import {
  evaluate,
  playOnBpmnEngine,
  type Player,
  type Scenario,
  type Step,
} from '../../../../../make/oracles/bpmn-engine.ts'

/**
 * Runs a process on both engines, completing the waits that `choose` picks. Answers how many waits there were per step.
 */
export async function runBoth(scenario: Scenario, choose: (count: number) => number): Promise<number[]> {
  const players = [await playOnOurs(scenario), await playOnBpmnEngine(scenario)] as const
  const isAnyOrder = isConcurrent(scenario.process)
  const lines = players.map(({ first }) => [`start: ${textOf(first, isAnyOrder)}`])
  const counts: number[] = []
  for (let last = players[0].first; ;) {
    const [ours, theirs] = lines
    const story = storyOf(scenario, lines)
    expect(ours, story).toEqual(theirs)
    if (last.status !== 'running') return counts
    expect(last.waits.length, `what waits\n${story}`).toBeGreaterThan(0)
    const wait = last.waits[choose(last.waits.length)] as string
    counts.push(last.waits.length)
    const steps = [await players[0].complete(wait), await players[1].complete(wait)] as const
    for (const [i, step] of steps.entries()) lines[i]?.push(`complete ${wait}: ${textOf(step, isAnyOrder)}`)
    last = steps[0]
  }
}

/** Runs a process on both engines once for every order in which its tasks can be completed. */
export async function runInEveryOrder(scenario: Scenario): Promise<void> {
  for (let order: number[] | undefined = []; order !== undefined;) {
    const choices: number[] = order
    let step = 0
    const counts = await runBoth(scenario, () => choices[step++] ?? 0)
    const last = counts.findLastIndex((count, i) => (choices[i] ?? 0) < count - 1)
    order = last < 0 ? undefined : counts.slice(0, last + 1).map((_, i) => (choices[i] ?? 0) + (i === last ? 1 : 0))
  }
}

async function playOnOurs({ process, roots, variables, work, answers }: Scenario): Promise<Player> {
  const compiled = await compileOnly(process, roots)
  const host: EngineHost = {
    now: () => 0,
    evaluate: async (expression, scope) => evaluate(expression, scope.variables),
    perform: async (each) => ({ variables: work?.[each.elementId]?.(each.variables) ?? {} }),
  }
  let last = await startProcess(compiled, host, variables)
  return {
    first: stepOf(last),
    async complete(name) {
      const { executionId = '', elementId = '' } = last.waits.find((wait) => nameOf(wait.executionId) === name) ?? {}
      const command = { kind: 'complete', executionId, variables: answers?.[elementId] ?? {} } as const
      last = await advanceProcess(compiled, host, last.state, [command])
      return stepOf(last)
    },
  }
}

const stepOf = ({ status, events, waits }: Advance): Step => ({
  status,
  events: events
    .filter(isReportedByBoth)
    .map(({ what, elementId }) => (what === 'entered' ? `>${elementId}` : elementId)),
  waits: waits.map((wait) => nameOf(wait.executionId)).sort(),
})

/** `a` for `a#1`, `a[2]` for the iteration `a#1.2`. */
const nameOf = (executionId: string): string =>
  executionId.replace(/#\d+(?:\.(\d+))?$/, (_, index?: string) => (index === undefined ? '' : `[${index}]`))

/** bpmn-engine reports no iterations and not every cancellation; the waits show those. */
const isReportedByBoth = ({ what, executionId }: ActivityEvent): boolean =>
  (what === 'entered' || what === 'completed') && !nameOf(executionId).endsWith(']')

/** Whether several tokens can move in one step; their order does not matter then. */
function isConcurrent(process: string): boolean {
  const sources = [...process.matchAll(/ sourceRef="([^"]*)"/g)].map(([, source]) => source ?? '')
  const forks = sources.filter((source, i) => sources.indexOf(source) < i)
  return process.includes('<multiInstance') || forks.some((fork) => !process.includes(`<exclusiveGateway id="${fork}"`))
}

function textOf({ status, events, waits }: Step, isAnyOrder: boolean): string {
  if (status === 'failed') return 'fails'
  const happened = isAnyOrder ? [...events].sort() : events
  return `${happened.join(' ')} | ${status === 'completed' ? 'done' : waits.join(' ')}`
}

const storyOf = ({ process, roots, variables = {}, answers = {} }: Scenario, lines: readonly string[][]): string =>
  [
    documentOf(process, roots),
    `variables ${JSON.stringify(variables)}, answers ${JSON.stringify(answers)}`,
    'our engine:',
    ...(lines[0] ?? []),
    'bpmn-engine:',
    ...(lines[1] ?? []),
    '',
  ].join('\n')
