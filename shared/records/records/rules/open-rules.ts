import type { Problem } from '../../../kernel/failures/sentence.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import type { Conditions } from '../../../lists/query/conditions/open-conditions.ts'
import type { Row } from '../../../lists/query/read/row.ts'
import type { Condition } from '../../../tables/field-types/declaration.ts'
import { openPatterns, patternOf, type Patterns } from '../../../tables/field-types/patterns.ts'
import { conditionsOf, mayBeVariable, typeOfField } from '../../../tables/field-types/read-field.ts'
import { openComputed } from '../../../tables/formulas/service.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import type { RecordData, StoredRecord } from '../record-item.ts'

/** The rules of a table's fields that need more than the value, for one write. */
export interface FieldRules {
  /** The default of a field, with its variable replaced. */
  defaultOf(field: Field): unknown
  /** Why a value does not match the pattern of its field; undefined when it does, or there is none. */
  patternProblem(field: Field, value: unknown): Problem | undefined
  /** The data with the values of computed fields. */
  complete(data: RecordData): RecordData
  /** Whether a condition holds in the record as it would be stored with this data. */
  holds(condition: Condition, data: RecordData): boolean
}

interface Needs {
  readonly patterns: boolean
  readonly conditions: boolean
}

/** Tables live as long as the configuration that they were read from. */
const known = new WeakMap<Table, Needs>()

function needsOf(table: Table): Needs {
  const before = known.get(table)
  if (before) return before
  const needs = {
    patterns: table.table_fields.some((field) => patternOf(field) !== undefined),
    conditions: table.table_fields.some(
      (field) =>
        conditionsOf(field).length > 0 ||
        mayBeVariable(field) ||
        typeOfField(field)
          .lifecycle?.moves(field)
          .some(({ required_fields }) => required_fields?.length),
    ),
  }
  known.set(table, needs)
  return needs
}

/** The rules for a write of `actor` to a record, `before` its update; undefined for a table without them, which costs nothing. */
export async function openRules(
  records: Pick<RecordDependencies, 'conditions' | 'clock'>,
  actor: Actor,
  table: Table,
  before?: StoredRecord,
): Promise<FieldRules | undefined> {
  const needs = needsOf(table)
  if (!needs.patterns && !needs.conditions) return undefined
  const [patterns, conditions, computed] = await Promise.all([
    needs.patterns ? openPatterns() : undefined,
    needs.conditions ? records.conditions(actor, table) : undefined,
    needs.conditions ? openComputed(table) : undefined,
  ])
  return rulesOf(patterns, conditions, computed, headOf(actor, isoTime(records.clock.now()), before))
}

/**
 * The conditions of a table on records as they are stored, each as a write of `actor` would see it now. Without a record:
 * on a new one.
 */
export async function openStoredRules(
  { conditions, clock }: Pick<RecordDependencies, 'conditions' | 'clock'>,
  actor: Pick<Actor, 'tenant' | 'userId' | 'orgUnitIds'>,
  table: Table,
): Promise<(record?: StoredRecord) => FieldRules> {
  const [opened, computed] = await Promise.all([conditions(actor, table), openComputed(table)])
  const now = isoTime(clock.now())
  return (record) => rulesOf(undefined, opened, computed, headOf(actor, now, record))
}

function rulesOf(
  patterns: Patterns | undefined,
  conditions: Conditions | undefined,
  computed: ((data: RecordData) => RecordData) | undefined,
  item: Head,
): FieldRules {
  let row: Row | undefined
  let of: RecordData | undefined
  /** The record as it would be stored, made once for all conditions. */
  const rowOf = (data: RecordData): Row => {
    if (row && (of === data || row.data === data)) return row
    of = data
    row = { id: 0, item, data: computed ? computed(data) : data }
    return row
  }
  return {
    defaultOf: (field) => (conditions ? conditions.defaultOf(field) : field.default),
    patternProblem: (field, value) => (typeof value === 'string' ? patterns?.problem(field, value) : undefined),
    complete: (data) => rowOf(data).data,
    holds: (condition, data) => conditions?.holds(condition, rowOf(data)) ?? true,
  }
}

type Head = Pick<StoredRecord, 'tenant_id' | 'created_by' | 'updated_by' | 'created_at' | 'updated_at' | 'version'>

/** The standard fields of the record as it would be stored. */
const headOf = (
  { tenant, userId }: Pick<Actor, 'tenant' | 'userId'>,
  now: string,
  before: StoredRecord | undefined,
): Head => ({
  tenant_id: tenant.id,
  created_by: before?.created_by ?? userId,
  created_at: before?.created_at ?? now,
  updated_by: userId,
  updated_at: now,
  version: (before?.version ?? 0) + 1,
})
