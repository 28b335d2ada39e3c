import { maxDecimalScale } from '../../../../kernel/limits/tables.ts'
import { typeOfField } from '../../../../tables/field-types/read-field.ts'
import { formFieldTypes } from '../../../../tables/field-types/schema.ts'
import type { Report } from '../check/findings.ts'
import type { FormField } from '../compiled-process.ts'
import { type BpmnElement, describe } from './bpmn-element.ts'
import { extensionsOf, fieldName } from './extensions.ts'

const withOptions = formFieldTypes.filter((type) => typeOfField({ type }).inForms === 'with options')

/** The fields of all `wf:form` elements of a task. */
export function readForm(task: BpmnElement, report: Report): readonly FormField[] {
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
