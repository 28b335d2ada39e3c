import { openFeel } from '../../../tables/formulas/service.ts'
import type { DecisionModel } from '../definition/model.ts'
import { type DecisionResult, evaluateDecision } from './evaluate-decision.ts'
import { prepareCells } from './prepare-cells.ts'

export type EvaluateModel = (model: DecisionModel, given: Readonly<Record<string, unknown>>) => DecisionResult

async function prepare() {
  const feel = await openFeel()
  return { feel, cells: prepareCells(feel) }
}
/** Compiled cells hold no values, so all tenants share them. */
let prepared: ReturnType<typeof prepare> | undefined

/** What evaluates models; FEEL is loaded with the first call. `called`: begins messages. */
export async function openEvaluation(now: () => number, called: string): Promise<EvaluateModel> {
  const { feel, cells } = await (prepared ??= prepare())
  return (model, given) => evaluateDecision(model, given, { feel, cells, now, called })
}
