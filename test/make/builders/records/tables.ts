import type { TestService } from '../../services/service.ts'

export const requestFields = [
  { name: 'title', label: 'Title', type: 'text', required: true, max_length: 200 },
  { name: 'priority', type: 'integer', default: 3, min: 1, max: 5 },
  { name: 'code', type: 'text', unique: true },
  { name: 'source', type: 'value_list', options: [{ slug: 'mail' }, { slug: 'phone' }] },
  {
    name: 'status',
    type: 'state_model',
    states: [{ slug: 'new', is_initial: true }, { slug: 'open' }, { slug: 'closed', is_final: true }],
    transitions: [
      { from: 'new', to: 'open' },
      { from: 'open', to: 'closed', roles: ['agent'] },
    ],
  },
  { name: 'client_id', type: 'model_list', target_table: 'clients' },
  { name: 'note', type: 'textarea' },
]

interface WithTransitions {
  readonly transitions?: readonly { readonly roles?: readonly string[] }[]
}

/** Creates a table as the administrator, and the roles of its transitions; answers its document. */
export async function makeTable(
  service: TestService,
  name: string,
  table_fields: readonly object[],
  token = service.admin.token,
) {
  const fields: readonly WithTransitions[] = table_fields
  const roles = fields.flatMap(({ transitions = [] }) => transitions.flatMap((one) => one.roles ?? []))
  for (const role of new Set(roles)) await service.api('POST', '/api/sys/roles', { token, body: { name: role } })
  const { status, body } = await service.api('POST', '/api/sys/entities', { token, body: { name, table_fields } })
  if (status !== 201) throw new Error(`table ${name}: ${JSON.stringify(body)}`)
  return body.data
}

/** The tables of most stories: clients, and requests that refer to them. */
export async function makeRequests(service: TestService, token?: string): Promise<void> {
  await makeTable(service, 'clients', [{ name: 'name', type: 'text', required: true }], token)
  await makeTable(service, 'requests', requestFields, token)
}
