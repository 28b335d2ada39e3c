import type { Instance } from '../../../../shared/automation/processes/rows/instance-row.ts'

/** An instance that runs for a plan and has stored one step. */
export const runningInstance = (id: number): Instance => ({
  id,
  templateId: 1,
  templateVersion: 1,
  code: 'look',
  model: 'plans',
  recordId: 1,
  status: 'running',
  rev: 3,
  steps: 1,
  state: undefined,
  variables: {},
  waits: [],
  lastTask: null,
  startedBy: 1,
  startedAt: '2026-11-20T08:00:00.000Z',
  endedAt: null,
  source: 'api',
  hops: 0,
  stepIncidents: [],
})
