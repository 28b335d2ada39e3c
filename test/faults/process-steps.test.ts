import { enumerates } from './enumerates.ts'
import { manyTasks, multiInstance, parallelBranches } from './operations/processes/branches.ts'
import { effects } from './operations/processes/effects.ts'
import { cancel, recordDeleted, retryIncident } from './operations/processes/incidents.ts'
import { cancelDuringStep, completeDuringTimer, deleteDuringStep } from './operations/processes/meanwhile.ts'
import { boundaryTimer, intermediateTimer, repeatingTimer } from './operations/processes/timers.ts'

enumerates([intermediateTimer, boundaryTimer, repeatingTimer, retryIncident, cancel, recordDeleted, parallelBranches, multiInstance, manyTasks, effects, cancelDuringStep, deleteDuringStep, completeDuringTimer])
