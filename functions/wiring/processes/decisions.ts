import { decisionModels } from '../../../shared/automation/decisions/decision.ts'
import { createDecide } from '../../../shared/automation/decisions/evaluate/decide.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { config } from '../platform/config.ts'
import { store } from '../platform/store.ts'

/** What versions of decisions were compiled to, cached per instance of the function. */
export const openModel = decisionModels(store)

/** What processes ask decisions with. */
export const decide = createDecide({ config, clock, openModel })
