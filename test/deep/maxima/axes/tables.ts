import {
  maxFieldDescriptionCharacters,
  maxFields,
  maxLabelCharacters,
  maxOptions,
  maxStates,
  maxTableBytes,
  maxTransitions,
  maxUniqueFields,
} from '../../../../shared/kernel/limits/tables.ts'
import { type Axis, bytesOf, type Data, filled, type Plan, range, tableOf } from '../plan.ts'

const fillers: Readonly<Record<string, readonly [unknown, unknown]>> = {
  boolean: [true, false],
  integer: [1, 2],
  text: ['one', 'two'],
  float: [1.5, 2.5],
  date: ['2026-01-01', '2026-01-02'],
  user: [null, null],
}

/** As many fields as the table may still have, with a value each. */
function fillFields({ fields, create, change }: Plan): void {
  const types = Object.keys(fillers)
  const first: Data = {}
  const second: Data = {}
  for (let at = 0; fields.length < maxFields; at += 1) {
    const type = types[at % types.length] as string
    const name = `pad_${at}`
    fields.push({ name, type })
    ;[first[name], second[name]] = fillers[type]!
  }
  create.push(() => first)
  change.push(() => second)
}

const isText = ({ type }: Data): boolean => type === 'text' || type === 'textarea'
/** The document whose texts are not searched, which a case changes the table to. */
export const unsearched = (plan: Plan): Data => ({
  ...tableOf(plan),
  table_fields: plan.fields.map((field) => ({ ...field, ...(isText(field) && { searchable: false }) })),
})

/** Describes fields and options at length, until the document is as large as it may be. */
function fillTable(plan: Plan): void {
  // A stored hook has an id, a name and a position, too.
  let left = maxTableBytes - bytesOf(unsearched(plan)) - 60 * plan.hooks.length - 100
  for (const field of plan.fields) {
    const room = Math.min(maxFieldDescriptionCharacters, left - 20)
    if (room > 0) left -= bytesOf((field.description = filled(room))) + ',"description":'.length
  }
  const { options } = plan.fields.find(({ name }) => name === 'sized') as { options: Data[] }
  for (let at = options.length; at < maxOptions && left > 30; at += 1) {
    const option: Data = { slug: `z${at}`.padEnd(Math.min(63, left - 12), 'z') }
    const room = Math.min(maxLabelCharacters, left - bytesOf(option) - 12)
    if (room > 0) option.label = filled(room)
    if (left > 400) option.color = '#1677ff'
    options.push(option)
    left -= bytesOf(option) + 1
  }
}

const few = [{ slug: 'a' }, { slug: 'b' }]
const slug = (at: number): string => `s${at}`
const states = (count: number) => range(count, (at) => ({ slug: slug(at), ...(at === 0 && { is_initial: true }) }))
const option = (at: number) => ({ slug: `o${at}` })
const uniqueField = (at: number) => ({ name: `code_${at}`, type: 'textarea', unique: true })
const fieldOf = ({ fields }: Plan, named: string): Data => fields.find(({ name }) => name === named)!

export const tableAxes: readonly Axis[] = [
  {
    name: 'fields',
    apply: ({ finish }) => finish.unshift(fillFields),
    beyond: {
      step: 'table',
      says: /table_fields.*200/s,
      change: ({ finish }) => finish.push(({ fields }) => fields.push({ name: 'more', type: 'text' })),
    },
  },
  {
    name: 'options',
    apply: ({ fields, create, change }) => {
      fields.push({ name: 'many', type: 'value_list', options: range(maxOptions, option) })
      fields.push(...range(99, (at) => ({ name: `list_${at}`, type: 'value_list', options: few })))
      const values = (value: string) => Object.fromEntries(range(99, (at) => [`list_${at}`, value]))
      create.push(() => ({ many: 'o0', ...values('a') }))
      change.push(() => ({ many: `o${maxOptions - 1}`, ...values('b') }))
    },
    beyond: {
      step: 'table',
      says: /table_fields\.0\.options.*1,?000/s,
      change: (plan) => (fieldOf(plan, 'many').options as Data[]).push(option(maxOptions)),
    },
  },
  {
    name: 'states',
    apply: ({ fields, create, change }) => {
      const transitions = range(maxTransitions, (at) => ({
        from: slug(at % maxStates),
        to: slug((at + 1 + Math.floor(at / maxStates)) % maxStates),
      }))
      fields.push({ name: 'phase', type: 'state_model', states: states(maxStates), transitions })
      create.push(() => ({ phase: 's0' }))
      change.push(() => ({ phase: 's1' }))
    },
    beyond: {
      step: 'table',
      says: /table_fields\.0\.states.*200/s,
      change: (plan) => (fieldOf(plan, 'phase').states = states(maxStates + 1)),
    },
  },
  {
    name: 'unique',
    apply: ({ fields, create, change }) => {
      fields.push(...range(maxUniqueFields, uniqueField))
      const values = (n: number, of: string) =>
        Object.fromEntries(range(maxUniqueFields, (at) => [`code_${at}`, `${of} ${n} ${filled(900)}`]))
      create.push((n) => values(n, 'first'))
      change.push((n) => values(n, 'second'))
    },
    beyond: {
      step: 'table',
      says: /table_fields.*10 /s,
      change: ({ fields }) => fields.push(uniqueField(maxUniqueFields)),
    },
  },
  {
    name: 'table size',
    apply: ({ fields, finish }) => {
      fields.push({ name: 'sized', type: 'value_list', options: [...few] })
      finish.push(fillTable)
    },
    beyond: {
      step: 'table',
      says: /table_fields.*300 KB/s,
      change: ({ finish }) =>
        finish.push(({ fields }) => fields.push({ name: 'more', type: 'text', description: filled(200) })),
    },
  },
]
