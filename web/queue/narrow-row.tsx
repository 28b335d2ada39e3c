import type { Row } from '../api/records.ts'
import { titleOf } from '../api/records.ts'
import { type Field, fieldsOf, type Table } from '../api/tables.ts'
import { FieldValue, isEmpty, valueOf } from '../fields/field-value.tsx'
import { Moment } from '../parts/time.tsx'

/** The types whose values say most of a record where there is little room, in this order. */
const telling = ['state_model', 'user', 'value_list'] as const
const shownFacts = 2

/** What a narrow list says below the title: the columns that tell most, else such fields of the table. */
export function factsOf(table: Table, columns: readonly Field[]): readonly Field[] {
  const candidates = [...columns, ...fieldsOf(table)]
  return telling.flatMap((type) => candidates.find((field) => field.type === type) ?? []).slice(0, shownFacts)
}

interface NarrowCellProps {
  readonly table: Table
  readonly facts: readonly Field[]
  readonly record: Row
  readonly onOpen: (id: number) => void
}

/** A record in a narrow list: its title, and below it state, person and age. */
export function NarrowCell({ table, facts, record, onOpen }: NarrowCellProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus, jsx-a11y/click-events-have-key-events -- a click is the short way: Enter opens the row that has the focus
    <div role="gridcell" className="grid-cell narrow-cell" onClick={() => onOpen(record.id)}>
      <span className="narrow-title">{titleOf(record, table.title_field)}</span>
      <span className="narrow-facts">
        <span>{record.id}</span>
        {facts
          .filter((field) => !isEmpty(valueOf(record, field)))
          .map((field) => (
            <FieldValue key={field.name} field={field} record={record} in="cell" />
          ))}
        {record.updated_at !== undefined && (
          <span className="push">
            <Moment at={record.updated_at} short />
          </span>
        )}
      </span>
    </div>
  )
}
