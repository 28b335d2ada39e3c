import { manyTasks, multiInstance, parallelBranches } from './operations/processes/branches.ts'
import { callAndReturn, cancelCaller, escalatingCall, severalCalls } from './operations/processes/calls.ts'
import { autoStart, effects } from './operations/processes/effects.ts'
import { cancel, recordDeleted, retryIncident } from './operations/processes/incidents.ts'
import { cancelDuringStep, completeDuringTimer, deleteDuringStep } from './operations/processes/interference.ts'
import { cancelledInBulk, migrated, moved } from './operations/processes/operated.ts'
import { boundaryTimer, intermediateTimer, repeatingTimer } from './operations/processes/timers.ts'
import { testOperations } from './test-operations.ts'

const operations = [
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
  callAndReturn,
  severalCalls,
  escalatingCall,
  cancelCaller,
  moved,
  migrated,
  cancelledInBulk,
  cancelDuringStep,
  deleteDuringStep,
  completeDuringTimer,
]

// A smaller sample, because these cases are slow; defects found by them have tests in process-workers.test.ts.
testOperations(operations, { sample: 3 })
