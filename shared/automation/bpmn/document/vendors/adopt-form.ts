import { own } from '../../../../kernel/collections/own-members.ts'
import type { FormField } from '../../shapes/compiled-process.ts'
import { childrenOf, type VendorElement, type VendorHost } from './vendor-words.ts'

/** The types of fields that other engines know. */
const types: Readonly<Record<string, FormField['type']>> = {
  string: 'text',
  text: 'text',
  long: 'integer',
  integer: 'integer',
  double: 'float',
  boolean: 'boolean',
  date: 'date',
  enum: 'value_list',
}

/** Reads the fields of `camunda:formData`, or `flowable:formProperty`, as a `wf:form`. */
export function adoptForm(host: VendorHost): void {
  const written = [
    ...host.takeElements('uel', 'formData').flatMap((form) => childrenOf(form, 'formField')),
    ...host.takeElements('uel', 'formProperty'),
  ]
  const fields = written.flatMap((field) => fieldOf(field, host.warn) ?? [])
  const extensions = host.node.extensionElements
  if (fields.length > 0 && extensions !== undefined)
    extensions.values = [...(extensions.values ?? []), { $type: 'wf:Form', $attrs: {}, fields }]
}

function fieldOf(field: VendorElement, warn: VendorHost['warn']) {
  const name = String(field.id ?? '')
  const type = own(types, String(field.type ?? 'string').toLowerCase())
  const choices = childrenOf(field, 'value').map(({ id, name: label }) => ({ value: String(id ?? label ?? '') }))
  const isNamed = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(name) && !Object.hasOwn(Object.prototype, name)
  if (type === undefined || !isNamed || (type === 'value_list' && choices.length === 0)) {
    warn(
      `has the form field "${name}" of the type "${String(field.type ?? '')}", which cannot be shown; use wf:formField`,
    )
    return undefined
  }
  const label = field.label ?? field.name
  const usual = field.defaultValue ?? field.default
  const isRequired =
    field.required === 'true' ||
    childrenOf(field, 'validation')
      .flatMap((validation) => childrenOf(validation, 'constraint'))
      .some((constraint) => constraint.name === 'required')
  return {
    $type: 'wf:FormField',
    $attrs: {},
    name,
    type,
    ...(typeof label === 'string' && { label }),
    ...(typeof usual === 'string' && !usual.includes('{') && { default: usual }),
    ...(isRequired && { required: true }),
    ...(field.writable === 'false' && { readonly: true }),
    ...(type === 'value_list' && { choices: choices.map((choice) => ({ $type: 'wf:Option', $attrs: {}, ...choice })) }),
  }
}
