import type { BenchRequest } from './load.ts'

/** The measured table and its records of 0.9 KB. */
export const requestsTable = {
  name: 'requests',
  table_fields: [
    { name: 'title', type: 'text', required: true, searchable: true },
    { name: 'description', type: 'textarea' },
    { name: 'priority', type: 'integer', default: 3 },
    { name: 'source', type: 'value_list', options: ['mail', 'phone', 'web', 'chat'].map((slug) => ({ slug })) },
    {
      name: 'status',
      type: 'state_model',
      states: [{ slug: 'new', is_initial: true }, { slug: 'open' }],
      transitions: [{ from: 'new', to: 'open' }],
    },
    { name: 'due_at', type: 'datetime' },
  ],
}

const words = [
  'printer',
  'network',
  'password',
  'monitor',
  'keyboard',
  'licence',
  'telephone',
  'projector',
  'account',
  'battery',
]

export const record = (n: number) => ({
  title: `Request ${n}: the ${words[n % words.length]} on floor ${n % 9} is broken`,
  description: `It shows the error code ${n % 977}. `.repeat(14),
  priority: 1 + (n % 5),
  source: ['mail', 'phone', 'web', 'chat'][n % 4],
  due_at: new Date(1_800_000_000_000 + (n % 50_000) * 60_000).toISOString(),
})

const list = (query: string) => (): BenchRequest => ({ method: 'GET', path: `/api/e/requests?${query}` })
const filtered = (filter: object, more = ''): string => `filter=${encodeURIComponent(JSON.stringify(filter))}${more}`

/** An operation, with its goal at 16 connections. */
export interface Operation {
  readonly name: string
  readonly requestAt: (n: number, known: { readonly records: number; readonly cursor: string }) => BenchRequest
  /** Per second. */
  readonly goal?: number
  /** The cost must not grow with the table. */
  readonly isFlat?: boolean
}

export const operations: readonly Operation[] = [
  {
    name: 'create',
    goal: 400,
    isFlat: true,
    requestAt: (n) => ({ method: 'POST', path: '/api/e/requests', body: record(n) }),
  },
  {
    name: 'get',
    goal: 2500,
    isFlat: true,
    requestAt: (n, { records }) => ({ method: 'GET', path: `/api/e/requests/${1 + ((n * 7919) % records)}` }),
  },
  {
    name: 'patch',
    goal: 400,
    requestAt: (n, { records }) => ({
      method: 'PATCH',
      path: `/api/e/requests/${1 + ((n * 7919) % records)}`,
      body: { description: `changed ${n} ${Date.now()}` },
    }),
  },
  { name: 'list of 25', goal: 800, isFlat: true, requestAt: list('per_page=25') },
  { name: 'page by cursor', isFlat: true, requestAt: (_, { cursor }) => list(`per_page=25&cursor=${cursor}`)() },
  {
    name: 'one equality, counter-kept total',
    isFlat: true,
    requestAt: list(filtered({ source: 'mail' }, '&per_page=25')),
  },
  {
    name: 'filtered + sorted + counted',
    goal: 500,
    requestAt: list(filtered({ source: 'mail' }, '&sort=-due_at&per_page=25')),
  },
  {
    name: 'two filters + range, sorted',
    requestAt: list(filtered({ source: 'mail', priority: { _gte: 4 } }, '&sort=-due_at&per_page=25')),
  },
  { name: 'search of two words', requestAt: list('search=printer%20floor&per_page=25') },
  {
    name: 'history',
    requestAt: (n, { records }) => ({ method: 'GET', path: `/api/sys/history/requests/${1 + ((n * 7919) % records)}` }),
  },
]
