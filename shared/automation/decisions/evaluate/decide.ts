import { Fault } from '../../../kernel/failures/faults.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Config } from '../../../platform/store/config.ts'
import { allDecisions, noDecision, type OpenModel } from '../decision.ts'
import type { DecisionNode } from '../definition/model.ts'
import { openEvaluation } from './evaluate-version.ts'

/** A decision that a process asks. */
export interface Asked {
  readonly code: string
  /** The version of when the process was saved; `unknown`: there was none. The latest when left out. */
  readonly pinned?: 'unknown' | { readonly decisionId: number; readonly version: number }
}

/** What a decision answered, and what an auditor needs to know of it. */
export interface Decided {
  readonly decision: { readonly id: number; readonly code: string; readonly version: number }
  readonly given: Readonly<Record<string, unknown>>
  readonly result: unknown
  /** The rules that it comes from, with their numbers in the table, from 1. */
  readonly rules: readonly DecidedRule[]
  /** The decisions that it required, in the order of their evaluation. */
  readonly required: readonly {
    readonly id: string
    readonly result: unknown
    readonly rules: readonly DecidedRule[]
  }[]
}
export interface DecidedRule {
  readonly id: string
  readonly number: number
}

/**
 * Answers what a decision says. `valueOf`: the value of an input by its name. Throws Fault, naming the decision and the
 * rule, when it has no result.
 */
export type Decide = (tenant: Tenant, asked: Asked, valueOf: (name: string) => Promise<unknown>) => Promise<Decided>

const refused = (message: string): Fault => new Fault('validation_failed', message)

/** Makes what processes ask decisions with. */
export const createDecide =
  (services: { readonly config: Pick<Config, 'list'>; readonly clock: Clock; readonly openModel: OpenModel }): Decide =>
  async (tenant, { code, pinned }, valueOf) => {
    const all = await allDecisions(services, tenant)
    const decision = all.find((one) => one.code === code)
    if (decision === undefined) throw refused(noDecision(code, all))
    if (pinned === 'unknown')
      throw refused(
        `The decision ${code} is pinned to the version that it had when the process was saved, and there was none: save the process again.`,
      )
    if (pinned !== undefined && pinned.decisionId !== decision.id)
      throw refused(
        `The decision ${code} is pinned to one that was deleted; there is another one of this code: save the process again.`,
      )
    const version = pinned?.version ?? decision.version
    const model = await services.openModel(tenant, decision.id, version)
    if (model === undefined) throw new Error(`there is no version ${version} of the decision ${decision.id}`)
    const given = Object.fromEntries(
      await Promise.all(model.inputs.map(async ({ name }) => [name, await valueOf(name)] as const)),
    )
    const evaluate = await openEvaluation(services.clock.now, `The decision ${code}`)
    const { result, rules, required } = evaluate(model, given)
    return {
      decision: { id: decision.id, code, version },
      given,
      result,
      rules: numbered(model.decisions.at(-1), rules),
      required: required.map((one) => ({
        ...one,
        rules: numbered(
          model.decisions.find(({ id }) => id === one.id),
          one.rules,
        ),
      })),
    }
  }

/** The rules with their places in the table of their decision. */
function numbered(node: DecisionNode | undefined, ids: readonly string[]): DecidedRule[] {
  if (node?.logic.is !== 'table') return []
  const numbers = new Map(node.logic.rules.map(({ id }, index) => [id, index + 1]))
  return ids.map((id) => ({ id, number: numbers.get(id) ?? 0 }))
}
