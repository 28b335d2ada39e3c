import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { failureOf } from '../api/failures.ts'
import { type Form, formQuery } from '../api/form.ts'
import type { EntityRecord } from '../api/records.ts'
import { fieldsOf, type Table } from '../api/tables.ts'

/** What is known of the form of an open record. */
interface OpenForm {
  /** Undefined while it is read for the first time. */
  readonly form: Form | undefined
  /** Why it could not be read for what the record is now; null when it was, or is being read. */
  readonly failure: unknown
  readonly retry: () => void
}

/**
 * The form of an open record. One that cannot be read now, such as without a connection, is the one before; without one
 * before, the record is shown as it was read, without changes: what is known is never taken from the screen.
 */
export function useForm(table: Table, id: number, record: EntityRecord | undefined): OpenForm {
  const asked = useQuery({ ...formQuery(table.name, id, record?.version), enabled: record !== undefined })
  const [before, setBefore] = useState<Form>()
  if (asked.data && asked.data !== before) setBefore(asked.data)
  const failure = record ? failureOf(asked) : null
  // Once it is shown so, it stays while the form is asked for again.
  const [isAsRead, setAsRead] = useState(false)
  if (failure !== null && !isAsRead) setAsRead(true)
  return {
    form: asked.data ?? before ?? (record && isAsRead ? asRead(table, record) : undefined),
    failure,
    retry: () => void asked.refetch(),
  }
}

/** The fields that a record came with, none of which can be changed. */
const asRead = (table: Table, { data }: EntityRecord): Form => ({
  fields: fieldsOf(table).flatMap((field) => (Object.hasOwn(data, field.name) ? [{ ...field, readonly: true }] : [])),
  moves: [],
  data,
})
