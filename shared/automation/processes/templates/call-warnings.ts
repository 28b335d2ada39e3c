import { thereIsNo } from '../../../kernel/text/did-you-mean.ts'
import type { CompiledProcess } from '../definition/compiled-process.ts'
import type { KnownNames, KnownTable, ProcessWarning } from './known-names.ts'

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
