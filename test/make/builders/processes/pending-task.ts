import { type Task, untouched } from '../../../../shared/automation/processes/rows/task-row.ts'

/** A task of an instance that waits for nobody in particular. */
export const pendingTask = (id: number, changes: Partial<Task> = {}): Task => ({
  id,
  instanceId: 1,
  executionId: `look ${id}`,
  elementId: 'look',
  name: null,
  status: 'pending',
  model: 'plans',
  recordId: 1,
  assignee: null,
  candidateUsers: [],
  candidateRoles: [],
  candidateOrgUnits: [],
  dueAt: null,
  priority: null,
  formKey: null,
  form: [],
  outcomes: [],
  outcome: null,
  createdAt: '2026-11-23T08:00:00.000Z',
  completedAt: null,
  completedBy: null,
  loop: null,
  ...untouched,
  ...changes,
})
