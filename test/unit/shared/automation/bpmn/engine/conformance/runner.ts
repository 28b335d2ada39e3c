import { expect, test } from 'vitest'
import { advanceProcess, startProcess } from '../../../../../../../shared/automation/bpmn/process.ts'
import type {
  ActivityEvent,
  Advance,
  Command,
  ElementScope,
  EngineHost,
  EngineState,
  Wait,
  Work,
} from '../../../../../../../shared/automation/bpmn/schema.ts'
import type { CompiledProcess } from '../../../../../../../shared/automation/bpmn/shapes/compiled-process.ts'
import { compileOnly } from '../../../../../../make/builders/processes/engine-documents.ts'

/**
 * One statement about BPMN: a tiny process and steps, each with a command and the expected result.
 *
 * Commands: `start`, `start s2` (the start event that has occurred), `event m`, `event m {"x": 1}`, `unmet c`, `complete a`,
 * `complete a {"x": 1}`, `timer t`, `error a CODE`, `retry w`. `a[1]` is iteration 1 of `a`, `a#2` its second activation.
 * `begin p#1 a`: by request, in an ad-hoc sub-process. `called a {"x": 1}`, `fail a`, `escalation a CODE`: of a called process. `@04:00` or `@2026-01-01T04:00` at the end sets the clock. `;` separates several
 * commands of one step.
 *
 * Results: `completed`, `-cancelled` and `!failed` elements in order, those inside `{ }` in any order; then `|` and
 * what waits: tasks, `!failed` work, timers with their time (`t@04:00`, or with a date). `| done`: the process is
 * completed, `| done by CODE`: by an error that its caller catches. After the elements: `*name/key` the messages and signals
 * that were sent, `+a(x=1)` the processes that were called, with their variables, `^CODE` escalations to the caller.
 * `| fails at x: part of the message`. `(ignored)`: the command was ignored.
 */
export interface Statement {
  readonly process: string
  readonly roots?: string
  /** Its events are read as templates are, and not as those that were stored before messages were delivered. */
  readonly hasEvents?: true
  /** The variables that activities are given and hand over. */
  readonly mappings?: CompiledProcess['mappings']
  /** What call activities pass on. */
  readonly calls?: CompiledProcess['calls']
  /** The codes of errors that the caller of the process catches. */
  readonly caught?: readonly string[]
  readonly variables?: Record<string, unknown>
  readonly work?: Readonly<Record<string, (work: Work, times: number) => Record<string, unknown> | void>>
  readonly steps: readonly (readonly [what: string, comes: string])[]
}

/**
 * Tests every statement twice: with the state kept in memory, and with everything stored and read back between steps.
 */
export function conforms(statements: Readonly<Record<string, Statement>>): void {
  for (const [sentence, statement] of Object.entries(statements)) {
    test(`${sentence}`, async () => {
      const { process, roots, mappings, hasEvents, calls } = statement
      const compiled = { ...(await compileOnly(process, roots, mappings, hasEvents)), ...(calls && { calls }) }
      const inMemory = await follow(
        statement,
        () => compiled,
        (state) => state,
      )
      const stored = await follow(statement, () => readBack(compiled), readBack)
      expect(inMemory.results, 'in memory').toEqual(statement.steps.map(([what, comes]) => [what, comes]))
      expect(stored.results, 'stored between the steps').toEqual(inMemory.results)
      expect(stored.ids, 'the same executionIds').toEqual(inMemory.ids)
    })
  }
}

export const readBack = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

async function follow(
  { variables, work = {}, caught, steps }: Statement,
  compiled: () => CompiledProcess,
  keep: (state: EngineState) => EngineState,
) {
  const clock = { now: Date.parse('2026-01-01T00:00:00Z') }
  const host = hostWith(clock, work, caught)
  const results: [string, string][] = []
  const ids: string[][] = []
  const law = lawOfEvents()
  let last: Advance | undefined
  for (const [what, comes] of steps) {
    const { commands, at } = readCommands(what, last?.waits ?? [])
    if (at !== undefined) clock.now = Date.parse(`${at}Z`)
    const next: Advance =
      last === undefined
        ? await startProcess(compiled(), host, variables, /^start (\w+)/.exec(what)?.[1])
        : await advanceProcess(compiled(), host, keep(last.state), commands)
    const after = readBack(next)
    results.push([what, matches(comes, after) ? comes : describe(after)])
    if (next.status !== 'failed') law(next, last?.waits ?? [])
    ids.push(next.waits.map((wait) => wait.executionId))
    if (next.status !== 'failed') last = next
  }
  return { results, ids }
}

export function hostWith(
  clock: { readonly now: number },
  work: NonNullable<Statement['work']> = {},
  caught: readonly string[] = [],
): EngineHost {
  const performed = new Map<string, number>()
  return {
    now: () => clock.now,
    async evaluate(expression, { variables, loop, task, tasks }: ElementScope) {
      const body = /^\$\{(.*)\}$/s.exec(expression.trim())?.[1] ?? expression
      const names = Object.keys(variables)
      return new Function('variables', 'loop', 'task', 'tasks', ...names, `return (${body})`)(
        variables,
        loop,
        task,
        tasks,
        ...names.map((name) => variables[name]),
      )
    },
    async perform(each) {
      const times = (performed.get(each.elementId) ?? 0) + 1
      performed.set(each.elementId, times)
      const result = work[each.elementId]?.(each, times)
      return result === undefined ? undefined : { variables: result }
    },
    async call(each) {
      const times = (performed.get(each.elementId) ?? 0) + 1
      performed.set(each.elementId, times)
      work[each.elementId]?.(each, times)
      return { templateId: 1, version: 1, code: 'called' }
    },
    isCaughtByCaller: async (code) => caught.includes(code),
  }
}

/** `a` for `a#1`, `a[2]` for the iteration `a#1.2`. */
const nameOf = (executionId: string): string =>
  executionId.replace(/#\d+(?:\.(\d+))?$/, (_, index?: string) => (index === undefined ? '' : `[${index}]`))

function readCommands(text: string, waits: readonly Wait[]): { commands: Command[]; at?: string } {
  const [script = '', at] = text.split(' @')
  const commands = script
    .split(';')
    .filter((each) => !/^start\b/.test(each.trim()))
    .map((each): Command => {
      const [, kind = '', target = '', rest] = /^\s*(\w+) (\S+)(?: (.+?))?\s*$/.exec(each) ?? []
      const executionId =
        waits.find((wait) => wait.executionId === target || nameOf(wait.executionId) === target)?.executionId ?? target
      if (kind === 'error') return { kind, executionId, code: rest ?? '', message: 'said so' }
      if (kind === 'begin') return { kind, executionId: target, elementId: rest ?? '' }
      if (kind === 'called')
        return { kind, executionId, variables: rest === undefined ? {} : (JSON.parse(rest) as Record<string, unknown>) }
      if (kind === 'fail') return { kind, executionId, message: 'was cancelled' }
      if (kind === 'escalation') return { kind, executionId, ...(rest !== undefined && { code: rest }) }
      if (kind === 'unmet') return { kind: 'event', executionId, isMet: false }
      if (kind === 'event')
        return { kind, executionId, ...(rest && { variables: JSON.parse(rest) as Record<string, unknown> }) }
      if (kind === 'complete') {
        const variables = rest === undefined ? undefined : (JSON.parse(rest) as Record<string, unknown>)
        const outcome = typeof variables?.outcome === 'string' ? variables.outcome : null
        const element_id = nameOf(executionId).replace(/\[.*/, '')
        return {
          kind,
          executionId,
          ...(variables && { variables }),
          task: { id: 1, element_id, name: null, outcome, completed_by: 3 },
        }
      }
      return { kind: kind as 'timer' | 'retry', executionId }
    })
  return { commands, ...(at !== undefined && { at: at.length <= 5 ? `2026-01-01T${at}` : at }) }
}

const shortDate = (iso: string): string => iso.replace('2026-01-01T', '').replace(/:00\.000Z$/, '')

const eventText = ({ executionId, what }: ActivityEvent): string =>
  `${{ completed: '', cancelled: '-', failed: '!', entered: '>' }[what]}${nameOf(executionId)}`

function waitText(wait: Wait): string {
  if (wait.kind === 'timer') return `${nameOf(wait.executionId)}@${shortDate(wait.dueAt)}`
  return wait.kind === 'failed' ? `!${nameOf(wait.executionId)}` : nameOf(wait.executionId)
}

function outcomeText({ status, waits, failure, escaped }: Advance): string {
  if (status === 'completed') return escaped === undefined ? 'done' : `done by ${escaped.code}`
  return status === 'failed' ? `fails at ${failure?.elementId}: ${failure?.message}` : waits.map(waitText).join(' ')
}

const argumentsOf = (variables: Readonly<Record<string, unknown>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(',')

const happened = ({ events, thrown, calls, escalated }: Advance): string[] => [
  ...events.filter(({ what }) => what !== 'entered').map(eventText),
  ...thrown.map(({ name, key }) => `*${name}${key === undefined ? '' : `/${key}`}`),
  ...calls.map(({ executionId, variables }) => `+${nameOf(executionId)}(${argumentsOf(variables)})`),
  ...escalated.map(({ code = '' }) => `^${code}`),
]

const describe = (advance: Advance): string =>
  `${advance.ignored.length > 0 ? '(ignored) ' : ''}${advance.status === 'failed' ? '' : happened(advance).join(' ')} | ${outcomeText(advance)}`.trim()

function matches(comes: string, advance: Advance): boolean {
  const [expected = '', outcome = ''] = comes.split('|').map((part) => part.trim())
  const isIgnored = expected.startsWith('(ignored)')
  if (isIgnored !== advance.ignored.length > 0) return false
  if (advance.status === 'failed') return outcome.startsWith('fails') && outcomeText(advance).includes(outcome)
  const waits = (text: string): string => text.split(' ').sort().join(' ')
  if (waits(outcome) !== waits(outcomeText(advance))) return false
  const events = happened(advance)
  for (const group of expected.replace('(ignored)', '').match(/\{[^}]*\}|[^\s{}]+/g) ?? []) {
    const members = group.startsWith('{') ? group.slice(1, -1).trim().split(/\s+/) : [group]
    if (events.splice(0, members.length).sort().join(' ') !== members.sort().join(' ')) return false
  }
  return events.length === 0
}

/**
 * Checks what holds for every process: each activation ends once, waits keep their ids, a completed process has none.
 */
export function lawOfEvents(): (advance: Advance, before: readonly Wait[]) => void {
  const open = new Set<string>()
  const known = new Set<string>()
  return ({ status, events, waits, state }, before) => {
    for (const { what, executionId } of events) {
      if (what === 'entered') {
        expect(known.has(executionId), `${executionId} is entered once`).toBe(false)
        known.add(executionId)
        open.add(executionId)
      } else
        expect(
          what === 'failed' ? open.has(executionId) : open.delete(executionId),
          `${executionId} is ${what} while it runs`,
        ).toBe(true)
    }
    for (const wait of waits)
      if (wait.kind !== 'timer' && wait.kind !== 'event')
        expect(open.has(wait.executionId), `${wait.executionId} waits while it runs`).toBe(true)
    expect(new Set(waits.map((wait) => wait.executionId)).size, 'ids of waits').toBe(waits.length)
    for (const wait of waits) {
      const old = before.find((each) => each.executionId === wait.executionId)
      if (old?.kind === wait.kind && wait.kind !== 'failed') expect(wait).toEqual(old)
    }
    if (status === 'completed') expect([[...open], waits]).toEqual([[], []])
    expect(readBack(state)).toEqual(state)
  }
}
