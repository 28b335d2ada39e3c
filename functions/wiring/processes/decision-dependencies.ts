import type { DecisionDependencies } from '../../../shared/automation/decisions/decisions.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { config } from '../platform/config.ts'
import { store } from '../platform/store.ts'
import { openModel } from './decisions.ts'

/** The dependencies of the administration of decisions. The DMN compiler is loaded with the first document. */
export const decisionDependencies: DecisionDependencies = {
  store,
  clock,
  config,
  openModel,
  compile: async (xml, code) =>
    (await import('../../../shared/automation/decisions/definition/compile-decision.ts')).compileDecision(xml, code),
}
