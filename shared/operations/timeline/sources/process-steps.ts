import { namesOf } from '../../../accounts/people/user.ts'
import { showDecision } from '../../../automation/processes/instances/show-decision.ts'
import { stepsOfRecord } from '../../../automation/processes/instances/steps-of-record.ts'
import type { StoredActivity, StoredStep } from '../../../automation/processes/rows/activities-row.ts'
import type { DecisionOutcome } from '../../../automation/processes/rows/decision-outcome.ts'
import type { TaskAnswer } from '../../../automation/processes/schema.ts'
import { readSights } from '../../../automation/processes/sight/process-sight.ts'
import { readTasks } from '../../../automation/processes/tasks/shown-tasks.ts'
import { templateNames } from '../../../automation/processes/templates/describe-template.ts'
import { publicUrl } from '../../../platform/http/routing/envelope.ts'
import type { Config } from '../../../platform/store/config.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { FullEntry, TimelineSource, TimelineSubject } from '../timeline-source.ts'

type InstanceMoment = 'started' | 'completed' | 'cancelled'

/** One thing that happened in a step; a step may be several entries, numbered from 1 in their order. */
interface StepPart {
  readonly step: StoredStep
  readonly part: number
  readonly at: string
  readonly what: { readonly instance: InstanceMoment } | { readonly activity: StoredActivity }
}

interface Dependencies {
  readonly store: Pick<Store, 'get' | 'query' | 'getMany'>
  readonly config: Pick<Config, 'list'>
}

/** What happened in the processes of a record: instances that started and ended, and activities that did. */
export function processStepsOf(
  { store, config }: Dependencies,
  { viewer, model, id }: TimelineSubject,
): TimelineSource<StepPart> {
  const { tenant } = viewer
  return {
    name: 'step',
    kind: 'process',
    position: /^\d{4}-\d\d-\d\dT[\d:.]+Z#\d{12}#\d{10}\|\d{1,6}$/,
    async read(start, limit) {
      const [from, lastPart] = start === undefined ? [] : (start.split('|') as [string, string])
      const { steps, next } = await stepsOfRecord(store, tenant, { model, id }, from, limit)
      const heads = steps.flatMap(({ sort, step }) =>
        partsOf(step)
          .toReversed()
          .filter(({ part }) => sort !== from || part <= Number(lastPart))
          .map((row) => ({ at: row.at, position: `${sort}|${row.part}`, row })),
      )
      return { heads, ...(next !== undefined && { next: `${next}|${allParts}` }) }
    },
    async describe(parts) {
      const ids = parts.flatMap(({ what }) => ('activity' in what ? (what.activity.task_id ?? []) : []))
      const people = parts.flatMap(({ step, what }) =>
        'instance' in what ? (personOf(step, what.instance) ?? []) : [],
      )
      const decided = parts.flatMap(({ step }) => (step.decisions?.length ? [step.instanceId] : []))
      const [tasks, sights, templates, names] = await Promise.all([
        readTasks(store, viewer, ids),
        readSights(store, viewer, model, decided),
        templateNames(config, tenant),
        namesOf(store, tenant, people),
      ])
      return parts.map((one) => {
        const name = templates.get(one.step.templateId) ?? one.step.code
        return 'instance' in one.what
          ? instanceEntry(one, one.what.instance, name, names)
          : activityEntry(one, one.what.activity, name, tasks, (decision, elementId) => {
              const isKnown = !sights(one.step.instanceId).hides(elementId, 'decided')
              return showDecision(viewer, model, decision, isKnown)
            })
      })
    },
  }
}

const allParts = 999_999
/** Gateways and events are the way, not what was done. */
const activityTypes = /[Tt]ask$|^(subProcess|transaction|adHocSubProcess|callActivity)$/

/** The entries of a step, in their order. */
function partsOf(step: StoredStep): StepPart[] {
  const happened: Omit<StepPart, 'part' | 'step'>[] = step.activities
    .filter(
      ({ type, what, task_id }) =>
        activityTypes.test(type) && (what === 'completed' || (what === 'cancelled' && task_id !== undefined)),
    )
    .map((activity) => ({ at: activity.at, what: { activity } }))
  if (step.step === 1 && step.activities.length > 0)
    happened.unshift({ at: (step.activities[0] as StoredActivity).at, what: { instance: 'started' } })
  if (step.status === 'completed' || step.status === 'cancelled')
    happened.push({ at: step.at, what: { instance: step.status } })
  return happened.map((one, index) => ({ ...one, step, part: index + 1 }))
}

const headOf = ({ step, part, at }: StepPart) => ({
  at,
  id: `${step.instanceId}.${step.step}.${part}`,
  href: `${publicUrl()}/api/sys/process-instances/${step.instanceId}`,
})
const instanceOf = ({ step }: StepPart, name: string) => ({
  instance_id: step.instanceId,
  template: { id: step.templateId, code: step.code, name },
})

/** Who has started or cancelled an instance; undefined: nobody, it did so by itself. */
const personOf = ({ startedBy, cancelledBy }: StoredStep, status: InstanceMoment): number | undefined =>
  (status === 'started' ? startedBy : status === 'cancelled' ? cancelledBy : undefined) || undefined

function instanceEntry(
  one: StepPart,
  status: InstanceMoment,
  name: string,
  names: ReadonlyMap<number, string>,
): FullEntry {
  const id = personOf(one.step, status)
  const user = id === undefined ? undefined : { id, name: names.get(id) ?? 'Unknown user' }
  return {
    ...headOf(one),
    ...(user && { user }),
    summary: `Process ${name} ${status}${user ? ` by ${user.name}` : ''}`,
    data: { ...instanceOf(one, name), status },
  }
}

function activityEntry(
  one: StepPart,
  { task_id, what: status, ...activity }: StoredActivity,
  name: string,
  tasks: ReadonlyMap<number, TaskAnswer>,
  show: (decision: DecisionOutcome, elementId: string) => object,
): FullEntry {
  const task = task_id === undefined ? undefined : tasks.get(task_id)
  const decision = one.step.decisions?.find(({ execution_id }) => execution_id === activity.execution_id)
  const data = {
    ...instanceOf(one, name),
    ...activity,
    status,
    ...(task && { task: withoutForm(task) }),
    ...(decision && { decision: show(decision, activity.element_id) }),
  }
  const label = activity.name ?? activity.element_id
  if (!task) return { ...headOf(one), summary: `${name}: ${label} ${status}`, data }
  const by = status === 'completed' ? task.completed_by : null
  return {
    ...headOf(one),
    ...(by && { user: by }),
    summary: `Task ${label} ${status}${by ? ` by ${by.name}` : ''}${by && task.outcome !== null ? `: ${task.outcome}` : ''}`,
    data,
  }
}

/** The form belongs to the open task, and is the same in every one of its kind. */
function withoutForm({ form: _, ...task }: TaskAnswer): Omit<TaskAnswer, 'form'> {
  return task
}
