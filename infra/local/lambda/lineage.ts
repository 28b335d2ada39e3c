/**
 * The rule by which Lambda ends loops: it counts how often each function ran in a chain of messages, and runs a function
 * no more after sixteen times, unless its `RecursiveLoop` is `Allow`. Each message carries the counts of its sender in its trace header.
 */
import { currentScope, type Scope } from './invocation-scope.ts'

type Lineage = Scope['lineage']

/** AWS says "approximately 16 times". */
const maxInvocations = 16

/** The system attribute in which SQS carries the trace header of X-Ray. */
const traceHeader = 'AWSTraceHeader'
const member = 'Lineage='

/** What a message that is sent now says of its chain; nothing when no message led to its sender. */
export function lineageAttribute(): Readonly<Record<string, string>> {
  const lineage = currentScope()?.lineage
  if (!lineage) return {}
  const counts = Object.entries(lineage).map(([name, count]) => `${name}:${count}`)
  return { [traceHeader]: `${member}${counts.join('|')}` }
}

/** The chain of an invocation: the longest of those that its messages come from, and one more of this function. */
export function lineageOf(functionName: string, event: unknown): Lineage {
  const { Records: records } = (event ?? {}) as { Records?: readonly { eventSource?: string; attributes?: object }[] }
  if (!Array.isArray(records) || records[0]?.eventSource !== 'aws:sqs') return undefined
  const lineage: Record<string, number> = {}
  for (const { attributes = {} } of records as readonly { attributes?: Record<string, string> }[])
    for (const pair of (attributes[traceHeader]?.slice(member.length) ?? '').split('|')) {
      const [name, count] = pair.split(':')
      if (name) lineage[name] = Math.max(lineage[name] ?? 0, Number(count))
    }
  lineage[functionName] = (lineage[functionName] ?? 0) + 1
  return lineage
}

/** Whether Lambda refuses to invoke the function with these messages. */
export const isEndlessLoop = (functionName: string, event: unknown): boolean =>
  (lineageOf(functionName, event)?.[functionName] ?? 0) > maxInvocations
