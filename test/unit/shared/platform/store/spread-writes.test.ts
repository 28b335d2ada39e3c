import { expect, it } from 'vitest'
import { activitiesItem } from '../../../../../shared/automation/processes/rows/activities-row.ts'
import { incidentItem } from '../../../../../shared/automation/processes/rows/incident-row.ts'
import { type Instance, instanceRow } from '../../../../../shared/automation/processes/rows/instance-row.ts'
import { type Task, taskItem, untouched } from '../../../../../shared/automation/processes/rows/task-row.ts'
import { fileDueKey } from '../../../../../shared/platform/store/keys/files.ts'
import { jobDueKey } from '../../../../../shared/platform/store/keys/jobs.ts'
import { processDueKey } from '../../../../../shared/platform/store/keys/processes.ts'
import { cleanupDueKey, hooksDueKey, sequenceKey } from '../../../../../shared/platform/store/keys/records.ts'
import { dueEntry } from '../../../../../shared/platform/store/slots.ts'
import { historyRow } from '../../../../../shared/records/history/history-row.ts'
import { linkWrites } from '../../../../../shared/records/relations/links/link-rows.ts'
import { runItem } from '../../../../../shared/scripts/run-log.ts'

const tenant = { id: 1 }
const at = '2026-11-20T08:00:00.000Z'
const task = {
  ...untouched,
  status: 'pending',
  model: 'requests',
  assignee: 3,
  candidateUsers: [],
  candidateRoles: [],
  candidateOrgUnits: [],
  form: [],
  outcomes: [],
} as unknown as Task
const instance = {
  status: 'running',
  templateId: 1,
  variables: {},
  waits: [],
  stepIncidents: [],
} as unknown as Instance
const run = { status: 'ok', ms: 1, calls: 0, log: [], startedAt: 0 } as unknown as Parameters<typeof runItem>[3]

/** What the nth write of a busy table stores, by kind. */
const kinds: Readonly<Record<string, (id: number) => object>> = {
  'history rows': (id) =>
    historyRow({
      tenantId: 1,
      model: 'requests',
      recordId: id,
      version: 1,
      action: 'create',
      userId: 3,
      at,
      changes: {},
    }).item,
  'process instances': (id) => instanceRow(tenant, { ...instance, id, recordId: id }, 'w').item,
  'process tasks': (id) => taskItem(tenant, { ...task, id, recordId: id }),
  'process incidents': (id) =>
    incidentItem(tenant, {
      id,
      instanceId: id,
      code: 'p',
      model: 'requests',
      recordId: id,
      elementId: null,
      message: '',
      status: 'open',
      createdAt: at,
      resolvedAt: null,
    }),
  'process steps': (id) =>
    activitiesItem(tenant, { ...instance, id, recordId: id, steps: 0 }, { at, status: 'running', activities: [] }),
  'script runs': (id) =>
    runItem(
      tenant,
      1_790_000_000_000_000 + id,
      { runId: 'r', model: 'requests', recordId: id } as Parameters<typeof runItem>[2],
      run,
    ),
  links: (id) => (linkWrites(tenant, { relationId: 1, l: id, r: id }, { by: 1, at })[0] as { put: object }).put,
  'due deletes': (id) => dueEntry(cleanupDueKey(at, tenant, 'requests', id)),
  'due hooks': (id) => dueEntry(hooksDueKey(at, tenant, 'requests', id)),
  'due jobs': (id) => dueEntry(jobDueKey(at, String(tenant.id), tenant, id)),
  'due processes': (id) => dueEntry(processDueKey(at, tenant, id)),
  'due files': (id) => dueEntry(fileDueKey(at, tenant, Buffer.from([id % 256, 7]).toString('base64url'))),
}

it.each(Object.entries(kinds))(
  'of a thousand %s no partition of the table or an index holds a third',
  (_name, make) => {
    const written = Array.from({ length: 1000 }, (_, index) => make(index + 1))
    const partitions = Object.keys(written[0] as object).filter((name) => /^p(k|\d\d)$/.test(name))
    for (const name of partitions) {
      const sizes = Map.groupBy(written, (item) => (item as Record<string, unknown>)[name])
      expect(sizes.size, name).toBeGreaterThanOrEqual(4)
      expect(Math.max(...[...sizes.values()].map(({ length }) => length)), name).toBeLessThan(334)
    }
    expect(partitions.length).toBeGreaterThan(0)
  },
)

it('each table has a partition for its sequence', () =>
  expect(sequenceKey(tenant, 'requests').pk).not.toBe(sequenceKey(tenant, 'notes').pk))
