import type { Report } from '../check/findings.ts'
import type { TaskDefinition } from '../compiled-process.ts'
import { isDuration, isMoment } from '../time-values.ts'
import { type BpmnElement, describe } from './bpmn-element.ts'
import { expressiveList, expressiveText, extensionsOf, readSets, textOf } from './extensions.ts'
import { readCompletion } from './read-completion.ts'
import { readForm } from './read-form.ts'
import { readNotify } from './read-notify.ts'

/** Reads the definition of a user, manual or receive task. */
export function readTask(task: BpmnElement, report: Report): TaskDefinition {
  const outcomes = readOutcomes(task, report)
  return {
    ...present('assignee', expressiveText(task, 'assignee', report)),
    candidateUsers: expressiveList(task, 'candidateUsers', report),
    candidateRoles: expressiveList(task, 'candidateRoles', report),
    candidateOrgUnits: expressiveList(task, 'candidateOrgUnits', report),
    ...present('dueDate', readDueDate(task, report)),
    ...present('priority', expressiveText(task, 'priority', report)),
    ...present('formKey', textOf(task, 'formKey', report)),
    form: readForm(task, report),
    outcomes,
    ...present('fourEyes', textOf(task, 'fourEyes', report)),
    completeOn: readCompletion(task, outcomes, report),
    notifications: extensionsOf(task, 'Notify').map((notify) => ({
      ...readNotify(task, notify, report),
      on: readMoment(task, notify, ['create', 'complete', 'cancel'], 'create', report),
    })),
    setFields: extensionsOf(task, 'SetFields').map((element) => ({
      sets: readSets(task, element, report),
      on: readMoment(task, element, ['complete', 'create'], 'complete', report),
    })),
  }
}

const present = <Name extends string>(name: Name, value: string | undefined): { readonly [name in Name]?: string } =>
  (value === undefined ? {} : { [name]: value }) as { readonly [name in Name]?: string }

function readOutcomes(task: BpmnElement, report: Report): readonly string[] {
  const outcomes =
    textOf(task, 'outcomes', report)
      ?.split(',')
      .map((outcome) => outcome.trim()) ?? []
  if (outcomes.includes('')) report(task, `${describe(task)} has an empty outcome in wf:outcomes.`)
  return [...new Set(outcomes)]
}

function readDueDate(task: BpmnElement, report: Report): string | undefined {
  const text = expressiveText(task, 'dueDate', report)
  if (text === undefined || text.includes('${') || isDuration(text) || isMoment(text)) return text
  report(
    task,
    `${describe(task)}: wf:dueDate must be a duration like PT4H, a moment like 2026-11-20T09:00:00Z (ISO 8601) or an expression, not "${text}".`,
  )
  return undefined
}

function readMoment<Moment extends string>(
  task: BpmnElement,
  element: BpmnElement,
  moments: readonly [Moment, ...Moment[]],
  usual: Moment,
  report: Report,
): Moment {
  if (element.on === undefined) return usual
  const moment = moments.find((known) => known === element.on)
  if (moment === undefined)
    report(task, `${describe(task)}: on is ${moments.join(' or ')}, not "${String(element.on)}".`)
  return moment ?? usual
}
