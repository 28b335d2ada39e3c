import { maxDecimalScale } from '../../../../kernel/limits/tables.ts'
import { typeOfField } from '../../../../tables/field-types/read-field.ts'
import { formFieldTypes } from '../../../../tables/field-types/schema.ts'
import { type BpmnElement, describe } from '../../shapes/bpmn-element.ts'
import type { FormField, TaskDefinition } from '../../shapes/compiled-process.ts'
import type { Report } from '../../shapes/findings.ts'
import { isDuration, isMoment } from '../../shapes/time-values.ts'
import { expressiveList, expressiveText, extensionsOf, fieldName, readSets, textOf } from './extensions.ts'
import { readCompletion } from './read-completion.ts'
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

const withOptions = formFieldTypes.filter((type) => typeOfField({ type }).inForms === 'with options')

/** The fields of all `wf:form` elements of a task. */
function readForm(task: BpmnElement, report: Report): readonly FormField[] {
  const fields = extensionsOf(task, 'Form').flatMap((form) => (form.fields ?? []) as readonly BpmnElement[])
  const names = new Set<string>()
  return fields.flatMap((field): FormField[] => {
    const name = typeof field.name === 'string' ? field.name.trim() : ''
    const at = `${describe(task)}: the form field "${name}"`
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(name) || Object.hasOwn(Object.prototype, name)) {
      report(task, `${at} needs a name of letters, digits and underscores.`)
      return []
    }
    if (names.has(name)) report(task, `${at} is there twice.`)
    names.add(name)
    return [readField(task, field, name, at, report)]
  })
}

function readField(task: BpmnElement, field: BpmnElement, name: string, at: string, report: Report): FormField {
  const type = field.type as FormField['type']
  if (!formFieldTypes.includes(type))
    report(task, `${at} has the unknown type "${type}"; there are ${formFieldTypes.join(', ')}.`)
  const options = optionsOf(field)
  const needsOptions = withOptions.includes(type)
  if (needsOptions && options.length === 0) report(task, `${at} is a ${type} and needs options.`)
  if (!needsOptions && options.length > 0) report(task, `${at} has options but is no ${withOptions.join(' or ')}.`)
  const scale = scaleOf(field)
  if (field.scale !== undefined && type !== 'decimal') report(task, `${at} has a scale but is no decimal.`)
  else if (Number.isNaN(scale))
    report(task, `${at} has the scale "${String(field.scale)}"; it is a number from 0 to ${maxDecimalScale}.`)
  const bind = fieldName(field.bind as string | undefined)
  if (field.bind !== undefined && bind === undefined)
    report(task, `${at} is bound to "${String(field.bind)}"; it must be a field of the record, like record.status.`)
  return {
    name,
    ...(typeof field.label === 'string' ? { label: field.label } : {}),
    type,
    isRequired: field.required === true,
    isReadonly: field.readonly === true,
    ...(bind === undefined ? {} : { bind }),
    ...(typeof field.default === 'string' ? { default: field.default } : {}),
    ...(options.length > 0 ? { options } : {}),
    ...(scale === undefined ? {} : { scale }),
  }
}

/** How many digits after the point a decimal has; NaN for what is no such number. */
function scaleOf({ scale }: BpmnElement): number | undefined {
  if (scale === undefined) return undefined
  const read = /^\d{1,2}$/.test(String(scale)) ? Number(scale) : Number.NaN
  return read <= maxDecimalScale ? read : Number.NaN
}

/** From the attribute (`a,b`) and from `wf:option` elements. */
function optionsOf(field: BpmnElement): readonly string[] {
  const written = typeof field.options === 'string' ? field.options.split(',') : []
  const listed = ((field.choices ?? []) as readonly BpmnElement[]).map(({ value }) => String(value ?? ''))
  return [...new Set([...written, ...listed].map((option) => option.trim()).filter((option) => option !== ''))]
}
