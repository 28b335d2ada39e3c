import type { CurrentUser } from '../../../../web/api/session.ts'
import type { Field, Table } from '../../../../web/api/tables.ts'

/*
 * A small service desk, as the API tells of it.
 */

/** An agent who may do everything with requests, and nothing else. */
export const agent = {
  id: 2,
  name: 'Ada Agent',
  email: 'ada@example.com',
  roles: ['agent'],
  permissions: ['requests.*'],
  tenant: { slug: 'demo', name: 'Demo' },
  tenants: [],
  org_units: [],
  company_id: null,
  messenger_linked: false,
  locale: null,
  mfa_enabled: false,
  mfa_setup_required: false,
  verification_required: false,
} as unknown as CurrentUser

export const fields: readonly Field[] = [
  { name: 'title', type: 'text', label: 'Title', required: true },
  { name: 'urgent', type: 'boolean', label: 'Urgent' },
  { name: 'hours', type: 'integer', label: 'Hours' },
]

export const requests = {
  id: 1,
  name: 'requests',
  label: 'Requests',
  is_system: false,
  title_field: 'title',
  table_fields: fields,
} as unknown as Table

/** A form with the fields of requests, as the API answers it. */
export const formOfRequests = (data: Readonly<Record<string, unknown>> = {}) => ({
  fields: fields.map(({ name, type, label, required = false }) => ({
    name,
    type,
    label,
    required,
    readonly: false,
    visible: true,
    settings: {},
  })),
  transitions: [],
  data,
})

/** Requests with the titles that are given, with ids from 1. */
export const recordsOf = (titles: readonly string[]) =>
  titles.map((title, index) => ({
    id: index + 1,
    version: 1,
    data: { title, urgent: false, hours: index },
    created_at: '2026-11-01T08:00:00Z',
    updated_at: '2026-11-02T08:00:00Z',
    created_by: 2,
    updated_by: 2,
  }))
