import type { ProcessCommand } from './command-rows.ts'
import type { Instance, OpenWait } from './instance-row.ts'

/**
 * What a step of a called instance says to its caller, who carries it out in one step. Reports of one called instance
 * are numbered without a gap, and carried out in the order of their numbers (docs/decisions/0116).
 */
export interface ReportCommand {
  readonly kind: 'report'
  readonly executionId: string
  /** The called instance. */
  readonly instanceId: number
  /** From 1. Undefined in rows of before: they are carried out as they come. */
  readonly seq?: number
  readonly said: readonly Said[]
  readonly hops: number
}

/** One thing that a called instance says. */
export type Said =
  | { readonly what: 'escalated'; readonly code?: string }
  /** It has an incident, or has none any more. `rev`: its revision then. */
  | { readonly what: 'incident'; readonly hasIncident: boolean; readonly rev: number }
  | EndOfCalled

/** It has ended, which it says last. `error`: what ended it. */
export interface EndOfCalled {
  readonly what: 'ended'
  readonly end: 'completed' | 'cancelled'
  readonly error?: { readonly code: string; readonly message: string }
}

/** How much a called instance had told its caller when it sent something: that is heard first. */
export interface Told {
  readonly instanceId: number
  readonly seq: number
}

/** A report as it was stored before reports were numbered: a command for each thing. */
export type OldReport = { readonly executionId: string; readonly instanceId: number } & (
  | ({ readonly kind: 'called'; readonly hops: number } & Omit<EndOfCalled, 'what'>)
  | { readonly kind: 'called_incident'; readonly rev: number; readonly hasIncident: boolean }
  | { readonly kind: 'called_escalation'; readonly code?: string; readonly hops: number }
)

/** The command of a row, whatever version has stored it. */
export function reportOf(command: ProcessCommand | OldReport): ProcessCommand {
  if (command.kind !== 'called' && command.kind !== 'called_incident' && command.kind !== 'called_escalation')
    return command
  const { executionId, instanceId } = command
  const report = { kind: 'report', executionId, instanceId } as const
  switch (command.kind) {
    case 'called': {
      const { end, error, hops } = command
      return { ...report, said: [{ what: 'ended', end, ...(error && { error }) }], hops }
    }
    case 'called_incident': {
      const { rev, hasIncident } = command
      return { ...report, said: [{ what: 'incident', hasIncident, rev }], hops: 0 }
    }
    case 'called_escalation': {
      const { code, hops } = command
      return { ...report, said: [{ what: 'escalated', ...(code !== undefined && { code }) }], hops }
    }
  }
}

type CallWait = Extract<OpenWait, { kind: 'call' }>
type Waiting = Pick<Instance, 'waits'>

/** The wait for a called instance; undefined: it is not waited for any more. */
export const waitForCalled = ({ waits }: Waiting, { executionId, instanceId }: ReportCommand): CallWait | undefined => {
  const wait = waits.find((one) => one.executionId === executionId)
  return wait?.kind === 'call' && wait.instanceId === instanceId ? wait : undefined
}

/** Whether earlier reports of the called instance are to be heard before this one. */
const isEarly = (instance: Waiting, report: ReportCommand): boolean => {
  const wait = waitForCalled(instance, report)
  return wait !== undefined && report.seq !== undefined && report.seq > (wait.heard ?? 0) + 1
}

/** Whether a called instance had told something before it sent this, that its caller has not heard yet. */
const isAhead = ({ waits }: Waiting, after: Told | undefined): boolean =>
  after !== undefined &&
  waits.some((wait) => wait.kind === 'call' && wait.instanceId === after.instanceId && (wait.heard ?? 0) < after.seq)

/** Whether something is to be carried out before a command: what its called instance has said before. */
export const comesLater = (instance: Waiting, command: ProcessCommand): boolean =>
  (command.kind === 'report' && isEarly(instance, command)) ||
  (command.kind === 'event' && isAhead(instance, command.after))

/** The waits of a caller when it has heard a report. */
export function waitsAfterReport(waits: readonly OpenWait[], report: ReportCommand): OpenWait[] {
  const heard = waitForCalled({ waits }, report)
  return waits.map((wait) => (wait === heard ? noted(heard, report) : wait))
}

function noted(wait: CallWait, { seq, said }: ReportCommand): CallWait {
  const { hasIncident: had, incidentRev, ...plain } = wait
  // Reports that were stored without a number may overtake each other.
  const incident = said.find((one) => one.what === 'incident' && one.rev > (incidentRev ?? 0))
  const isNews = incident?.what === 'incident'
  const hasIncident = isNews ? incident.hasIncident : had
  const rev = isNews ? incident.rev : incidentRev
  return {
    ...plain,
    ...(hasIncident && { hasIncident }),
    ...(rev !== undefined && { incidentRev: rev }),
    ...(seq !== undefined && { heard: seq }),
  }
}
