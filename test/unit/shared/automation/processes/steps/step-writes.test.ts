import { describe, expect, it } from 'vitest'
import type { ActivityEvent } from '../../../../../../shared/automation/bpmn/schema.ts'
import type { CompiledProcess } from '../../../../../../shared/automation/bpmn/shapes/compiled-process.ts'
import { readActivities } from '../../../../../../shared/automation/processes/rows/activities-row.ts'
import { type OpenWait } from '../../../../../../shared/automation/processes/rows/instance-row.ts'
import { isPending, type Task, taskItem } from '../../../../../../shared/automation/processes/rows/task-row.ts'
import { activityWrites, closedRows } from '../../../../../../shared/automation/processes/steps/step-writes.ts'
import { isoTime } from '../../../../../../shared/kernel/time/clock.ts'
import {
  candidateKey,
  processTimerKey,
  waitOfRecordKey,
} from '../../../../../../shared/platform/store/keys/processes.ts'
import type { Item } from '../../../../../../shared/platform/store/values/marshal.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { pendingTask } from '../../../../../make/builders/processes/pending-task.ts'
import { runningInstance } from '../../../../../make/builders/processes/running-instance.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme Ltd', configVersion: 1 }
const clock = frozenClock()
const id = 1
const instance = () => runningInstance(id)

describe('the activities of a step', () => {
  const event = (executionId: string): ActivityEvent => ({
    elementId: 'look',
    type: 'userTask',
    executionId,
    what: 'completed',
    at: '2026-11-20T08:00:00.000Z',
  })
  const write = (executionIds: readonly string[]) =>
    activityWrites(
      tenant,
      { ...instance(), waits: [{ kind: 'task', elementId: 'look', executionId: 'known', taskId: 7 }] },
      { elements: { look: { name: 'Have a look' } } } as unknown as CompiledProcess,
      executionIds.map(event),
      { at: '2026-11-20T08:00:00.000Z', status: 'running' },
    )

  it('name the task that was waited for', () => {
    const [written] = write(['known', 'new']) as unknown as [{ put: Item }]
    const activities = readActivities(written.put)
    expect(activities.map(({ name, ...one }) => [name, 'task_id' in one, one.task_id])).toEqual([
      ['Have a look', true, 7],
      ['Have a look', false, undefined],
    ])
  })

  it('have no row when nothing happened', () => {
    expect(write([])).toEqual([])
  })
})

describe('what an instance does not wait for any more', () => {
  const waits = (kind: 'task' | 'timer' | 'failed'): OpenWait =>
    ({ kind, elementId: 'look', executionId: `look ${id}`, taskId: id, incidentId: id, dueAt: '' }) as OpenWait
  const close = (kind: 'task' | 'timer' | 'failed', status: Task['status'] = 'pending') =>
    closedRows(
      tenant,
      instance(),
      [waits(kind)],
      new Map([[id, pendingTask(id, { status, candidateUsers: [7] })]]),
      clock.now(),
    )
  const offers = () => [
    { remove: candidateKey(tenant, { kind: 'U', id: 7 }, id) },
    { remove: waitOfRecordKey(tenant, 'plans', 1, id) },
  ]

  it('is a pending task: it is cancelled, and offered to nobody', () => {
    expect(close('task')).toEqual([
      {
        put: taskItem(
          tenant,
          pendingTask(id, { status: 'cancelled', version: 2, candidateUsers: [7], completedAt: isoTime(clock.now()) }),
        ),
        if: isPending,
      },
      ...offers(),
    ])
  })

  it('is a task that the lease has cancelled: it is offered to nobody', () => {
    expect(close('task', 'cancelled')).toEqual(offers())
  })

  it('is a task that somebody has completed: its completion did the rest', () => {
    expect(close('task', 'completed')).toEqual([])
  })

  it('is a timer', () => {
    expect(close('timer')).toEqual([{ remove: processTimerKey(tenant, id, `look ${id}`) }])
  })
})
