import { enumerates } from './enumerates.ts'
import { manyTasks, multiInstance, parallelBranches } from './operations/processes/branches.ts'
import { autoStart, effects } from './operations/processes/effects.ts'
import { cancel, recordDeleted, retryIncident } from './operations/processes/incidents.ts'
import { cancelDuringStep, completeDuringTimer, deleteDuringStep } from './operations/processes/meanwhile.ts'
import { boundaryTimer, intermediateTimer, repeatingTimer } from './operations/processes/timers.ts'

enumerates([
  autoStart,
  effects,
  intermediateTimer,
  boundaryTimer,
  repeatingTimer,
  retryIncident,
  cancel,
  recordDeleted,
  parallelBranches,
  multiInstance,
  manyTasks,
  cancelDuringStep,
  deleteDuringStep,
  completeDuringTimer,
])
