import { thereIsNo } from '../../../kernel/text/did-you-mean.ts'
import type { CompiledProcess } from '../../bpmn/shapes/compiled-process.ts'
import type { Decision } from '../../decisions/decision.ts'
import type { KnownNames, KnownTable, ProcessWarning } from './known-names.ts'
import type { Template } from './template.ts'

type Pinnable = Pick<Template, 'id' | 'code' | 'version'>

/**
 * Notes which versions the pinned calls of a process mean: those of now, and of a call of itself the version that is saved.
 * `self`: the template with that version.
 */
export function pinCalls(process: CompiledProcess, self: Pinnable, templates: readonly Pinnable[]): CompiledProcess {
  const { calls } = process
  if (calls === undefined || Object.values(calls).every(({ pinned }) => pinned === undefined)) return process
  const versionOf = (code: string | undefined) => {
    const called = code === self.code ? self : templates.find((one) => one.code === code)
    return called === undefined ? 'unknown' : { templateId: called.id, version: called.version }
  }
  return {
    ...process,
    calls: Object.fromEntries(
      Object.entries(calls).map(([elementId, call]) => [
        elementId,
        call.pinned === undefined ? call : { ...call, pinned: versionOf(call.code) },
      ]),
    ),
  }
}

/** Notes which versions the pinned decisions of a process mean: those of now. */
export async function pinDecisions(
  process: CompiledProcess,
  decisions: () => Promise<readonly Pick<Decision, 'id' | 'code' | 'version'>[]>,
): Promise<CompiledProcess> {
  const work = Object.entries(process.work)
  if (!work.some(([, one]) => one.kind === 'decision' && one.pinned !== undefined)) return process
  const all = await decisions()
  return {
    ...process,
    work: Object.fromEntries(
      work.map(([elementId, one]) => {
        if (one.kind !== 'decision' || one.pinned === undefined) return [elementId, one]
        const found = all.find(({ code }) => code === one.decision)
        const pinned = found === undefined ? ('unknown' as const) : { decisionId: found.id, version: found.version }
        return [elementId, { ...one, pinned }]
      }),
    ),
  }
}

/** Warnings for calls of templates that do not exist, or that cannot be called as they are: they may be changed later. */
export async function callWarnings(
  { calls = {} }: Pick<CompiledProcess, 'calls'>,
  { name: table }: Pick<KnownTable, 'name'>,
  known: Pick<KnownNames, 'processes'>,
): Promise<readonly ProcessWarning[]> {
  const named = Object.entries(calls).flatMap(([elementId, { code }]) =>
    code === undefined ? [] : [{ elementId, code }],
  )
  if (named.length === 0) return []
  const processes = await known.processes()
  return named.flatMap(({ elementId, code }) => {
    const called = processes.find((one) => one.code === code)
    const problem =
      called === undefined
        ? thereIsNo(
            'process template',
            code,
            processes.map((one) => one.code),
          )
        : problemOfCall(called, table)
    return problem === undefined
      ? []
      : [{ elementId, code: 'unknown_process', message: `calledElement, ${code}: ${problem}` }]
  })
}

/** Why a template cannot be called for a record of a table; undefined: it can. */
export function problemOfCall(
  { code, table, isActive, isTriggered }: { code: string; table: string; isActive: boolean; isTriggered?: boolean },
  ofTable: string,
): string | undefined {
  if (!isActive) return `The process ${code} is not active.`
  if (table !== ofTable)
    return `The process ${code} is about ${table}, and a call is about the same record, one of ${ofTable}.`
  return isTriggered === true
    ? `The process ${code} starts with a message, a signal or a timer only: it needs a start event without a kind.`
    : undefined
}
