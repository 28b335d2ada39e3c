import { isDeepStrictEqual } from 'node:util'
import { own } from '../../../kernel/collections/own-members.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import { createTurns } from '../../../kernel/runtime/give-way.ts'
import { eachBucket } from '../../../platform/store/ranges/record-range.ts'
import { readSequence } from '../../../platform/store/sequence/sequence.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { RecordDependencies } from '../../../records/records/dependencies.ts'
import { readLivingRecord } from '../../../records/records/record-item.ts'
import { isEmpty, isVisible } from '../../../records/records/rules/check-conditions.ts'
import { guardedText } from '../../../records/records/write/unique-guards.ts'
import { checkValue, foldsCase, typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { conditionalRules, type Conditioned, openBoth } from './conditional-rules.ts'

/** Records that a rule of a field, once changed, would refuse. */
export interface Break {
  readonly field: string
  /** The setting of the field: `required`, `unique`, `type`, `max`, `options`, ... */
  readonly rule: string
  readonly records: number
  /** Some of their ids, rising. */
  readonly examples: readonly number[]
}

export interface FoundBreaks {
  readonly breaks: readonly Break[]
  /** Whether every record was looked at: not when the time was up before. */
  readonly isWhole: boolean
}

const maxExamples = 10

/** One rule that is new, and the records that break it. */
interface Rule {
  readonly field: string
  readonly rule: string
  /** Takes note of the value of a record, null for none. */
  see(id: number, value: unknown, record: Conditioned): void
  found(): Pick<Break, 'records' | 'examples'>
}

/** What no value depends on. */
const ofNoValue: ReadonlySet<string> = new Set(
  // The last four depend on the record: `conditionalRules` looks at them.
  'name label description indexed default searchable required_if readonly_if visible_if transitions'.split(' '),
)

/**
 * How many records of a table break each rule that a change brings, with examples. Each record is read and checked as a
 * write of its values would be; nothing is written.
 */
export async function findBreaks(
  { store, ...checks }: { readonly store: Store } & Pick<RecordDependencies, 'conditions' | 'clock'>,
  caller: Pick<Viewer, 'tenant' | 'userId' | 'orgUnitIds'>,
  before: Table,
  next: Table,
  timeIsUp: () => boolean,
): Promise<FoundBreaks> {
  const { tenant } = caller
  const rules = next.table_fields.flatMap((field) => [
    ...rulesOf(before.fieldsByName.get(field.name), field),
    ...conditionalRules(before, next, field).map(({ rule, breaks }) =>
      counted(field, rule, (_value, record) => breaks(record)),
    ),
  ])
  if (rules.length === 0) return { breaks: [], isWhole: true }
  const { last } = await readSequence(store, tenant, before.name)
  const conditioned = await openBoth(checks, caller, before, next)
  const nextTurn = createTurns()
  let isWhole = true
  for await (const items of eachBucket(store, tenant, { model: before.name, from: 1, to: last, livingOnly: true })) {
    if (timeIsUp()) {
      isWhole = false
      break
    }
    for (const item of items) {
      const record = readLivingRecord(item, before)
      if (record) {
        const seen = conditioned(record)
        for (const rule of rules) rule.see(record.id, own(record.data, rule.field) ?? null, seen)
      }
      await nextTurn()
    }
  }
  const breaks = rules
    .map((rule) => ({ field: rule.field, rule: rule.rule, ...rule.found() }))
    .filter(({ records }) => records > 0)
  return { breaks, isWhole }
}

function rulesOf(before: Field | undefined, field: Field): Rule[] {
  const type = typeOfField(field)
  if (type.isDerived) return []
  const rules: Rule[] = []
  if (field.required && !before?.required)
    rules.push(
      counted(field, 'required', (value, { after }) => isEmpty(value) && isVisible(after.rules, field, after.data)),
    )
  if (field.unique && !isSame(before?.unique, field.unique)) rules.push(repeated(field))
  if (!before) return rules
  if (before.type !== field.type) return [...rules, counted(field, 'type', (value) => value !== null)]
  const settings = new Set([...Object.keys(before), ...Object.keys(field)])
  for (const setting of settings) {
    const now = own(field, setting)
    if (ofNoValue.has(setting) || ['required', 'unique'].includes(setting) || isSame(own(before, setting), now))
      continue
    if (own(type.lasting ?? {}, setting) !== undefined) rules.push(counted(field, setting, (value) => value !== null))
    else {
      // Only this setting as it will be: each rule counts what it breaks by itself.
      const changed = { ...before, [setting]: now } as Field
      rules.push(
        counted(
          field,
          setting,
          (value) => value !== null && 'error' in checkValue(changed, value) && !('error' in checkValue(before, value)),
        ),
      )
    }
  }
  return rules
}

const isSame = (before: unknown, now: unknown): boolean => isDeepStrictEqual(before ?? null, now ?? null)

function counted({ name }: Field, rule: string, breaks: (value: unknown, record: Conditioned) => boolean): Rule {
  const examples: number[] = []
  let records = 0
  return {
    field: name,
    rule,
    see(id, value, record) {
      if (!breaks(value, record)) return
      records += 1
      if (examples.length < maxExamples) examples.push(id)
    },
    found: () => ({ records, examples }),
  }
}

/** All records whose value another one has too. */
function repeated(field: Field): Rule {
  const { name } = field
  const foldedFields = new Set(foldsCase(field) ? [name] : [])
  const holders = new Map<string, { readonly first: number; count: number; readonly others: number[] }>()
  return {
    field: name,
    rule: 'unique',
    see(id, value) {
      const text = guardedText({ foldedFields }, name, value)
      if (text === undefined) return
      const known = holders.get(text)
      if (!known) return void holders.set(text, { first: id, count: 1, others: [] })
      known.count += 1
      if (known.others.length < maxExamples) known.others.push(id)
    },
    found() {
      const shared = [...holders.values()].filter(({ count }) => count > 1)
      const examples = shared.flatMap(({ first, others }) => [first, ...others])
      return {
        records: shared.reduce((sum, { count }) => sum + count, 0),
        examples: examples.sort((a, b) => a - b).slice(0, maxExamples),
      }
    },
  }
}
