import { below, inventedWord, mixed, oneOf, rareWord, tenthWords, twentiethWords } from './words.ts'

export const states = ['open', 'closed', 'new', 'in_progress', 'waiting', 'resolved'] as const
export const categories = Array.from({ length: 40 }, (_, index) => `category_${String(index + 1).padStart(2, '0')}`)
export const channels = ['mail', 'phone', 'web', 'chat']
export const regions = ['north', 'east', 'south', 'west', 'centre', 'abroad', 'remote', 'harbour']

/** In percent, in the order of `states`. */
const stateShares = [20, 45, 12, 10, 8, 5]
const firstDueDay = Date.parse('2026-01-01')
const dueDays = 730
const dayMs = 86_400_000

/** What a record of the measured table refers to. Ids count from `first` on without gaps. */
export interface Surroundings {
  readonly clients: { readonly first: number; readonly count: number }
  readonly companies: { readonly first: number; readonly count: number }
  readonly userIds: readonly number[]
  /** How many rare words there are; each is in about ten records. */
  readonly rareWords: number
}

/** The fields of a record of the measured table, as a client sends them: 0.7 KB as JSON. */
export interface RequestFields {
  readonly title: string
  readonly body: string
  readonly status: string
  readonly priority: number
  readonly client_id: number
  readonly assignee: number | null
  readonly category: string
  readonly due: string | null
  readonly amount: number
  readonly urgent: boolean
  readonly channel: string
  readonly company_id: number
  readonly region: string
}

/** The n-th record: a pure function, so that what lists must answer can be computed. */
export function requestRecord(n: number, { clients, companies, userIds, rareWords }: Surroundings): RequestFields {
  return {
    title: titleOf(n, rareWords),
    body: bodyOf(n),
    status: stateOf(below(100, n, 1)),
    priority: 1 + below(5, n, 2),
    client_id: clients.first + below(clients.count, n, 3),
    assignee: below(10, n, 4) === 0 ? null : oneOf(userIds, n, 5),
    category: oneOf(categories, n, 6),
    due: below(10, n, 7) < 3 ? null : dueDay(below(dueDays, n, 8)),
    amount: below(1_000_000, n, 9) / 100,
    urgent: below(8, n, 10) === 0,
    channel: oneOf(channels, n, 11),
    company_id: companies.first + below(companies.count, n, 12),
    region: oneOf(regions, n, 13),
  }
}

/** The date that many days after the first due date. */
export const dueDay = (days: number): string => new Date(firstDueDay + days * dayMs).toISOString().slice(0, 10)

export const clientName = (number: number): string =>
  `${inventedWord(number, 30)} ${inventedWord(number, 31)} ${number}`

/** What changes of a record change: the n-th change gives other values than the one before. */
export const changedFields = (id: number, n: number): Pick<RequestFields, 'priority' | 'amount'> => ({
  priority: 1 + ((id + n) % 5),
  amount: below(1_000_000, n, 40) / 100,
})

/** About 45 characters. Every title has the word `request`. */
function titleOf(n: number, rareWords: number): string {
  const begin = inventedWord(n, 20)
  const words = [oneOf(twentiethWords, n, 21), oneOf(tenthWords, n, 22), inventedWord(n, 23), 'request']
  return `${begin.charAt(0).toUpperCase()}${begin.slice(1)} ${words.join(' ')} ${rareWord(mixed(n, 24) % rareWords)}`
}

/** What the body complains about: one in twenty names a word that searches look for. */
export const mentionOf = (n: number): string => (below(20, n, 25) === 0 ? oneOf(tenthWords, n, 26) : 'device')

function bodyOf(n: number): string {
  return `The ${mentionOf(n)} on floor ${below(9, n, 27)} shows ${inventedWord(n, 28)}. ${'Please look after it as soon as somebody is near, and call back. '.repeat(3)}`.trim()
}

function stateOf(percent: number): string {
  let from = 0
  const index = stateShares.findIndex((share) => percent < (from += share))
  return states[index] as string
}
