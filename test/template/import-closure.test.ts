import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { functionFolder, inputsFile, type BundleInput } from '../../esbuild.config.ts'
import { deployedFunctions } from '../../infra/catalogue/functions.ts'
import { queueVariable } from '../../infra/catalogue/queues.ts'
import { assemble } from '../../infra/local/template/assemble.ts'
import { channelTypes, deliveryQueueOf } from '../../shared/messages/channels/schema.ts'
import { roomOf } from '../lint/import-fault.ts'

/**
 * The kB that a bundle may have: what is loaded at each cold start. Who needs more, sets more; who needs a quarter less,
 * sets less.
 */
const mostKB: Readonly<Record<string, number>> = {
  auth: 1_500,
  directory: 1_300,
  tenant: 1_000,
  tables: 3_450,
  configuration: 3_650,
  lists: 1_450,
  views: 1_250,
  records: 2_850,
  'import-export': 3_250,
  relations: 1_250,
  files: 1_550,
  history: 1_900,
  scripts: 2_700,
  portal: 2_850,
  processes: 4_050,
  notifications: 950,
  channels: 3_100,
  incoming: 2_950,
  // With what reads calendars, RTF and signed mails.
  mailbox: 4_650,
  inbound: 1_350,
  'messenger-webhook': 1_250,
  jobs: 950,
  'web-app': 1_150,
  'api-docs': 1_800,
  audit: 900,
  'fan-out': 800,
  'search-indexer': 1_500,
  'rollup-keeper': 1_700,
  'process-evaluation': 3_350,
  'subscription-evaluation': 1_600,
  'process-runner': 3_350,
  'delivery-expansion': 1_850,
  'record-cleanup': 2_650,
  'job-runner': 4_600,
  'account-mailer': 1_550,
  'due-sweeper': 750,
  'nightly-repair': 1_150,
  'file-sweeper': 950,
  'incoming-rules': 2_850,
  'mailbox-poll': 750,
  'mailbox-fetch': 4_400,
  'delivery-webhook': 1_900,
  'delivery-email': 2_350,
  'delivery-messenger': 1_900,
  'delivery-sms': 2_000,
  'delivery-stream': 2_000,
  'delivery-amqp': 2_100,
  'delivery-eventbridge': 2_000,
}

const deliveries = channelTypes.map((type) => `delivery-${type}`)
const steps = ['process-evaluation', 'process-runner']
const configures = ['tables', 'configuration']
/** They make records: people, scripts, processes, messages, files. */
const writes = [
  'records',
  'import-export',
  'scripts',
  'portal',
  'processes',
  'incoming',
  'record-cleanup',
  'job-runner',
]
const makesRecords = [...writes, 'incoming-rules', ...steps]
const readsLists = [...makesRecords, ...configures, 'lists', 'files', 'history', 'relations', 'channels']
const readsMails = ['mailbox', 'mailbox-fetch']

/**
 * The rooms that not everybody needs, and the functions that may reach them, beside the reference, which reads the schemas
 * of all. What another function reaches of them it loads at each cold start, and most likely for nothing.
 */
const reserved: Readonly<Record<string, readonly string[]>> = {
  'automation/decisions': [...configures, ...steps, 'processes', 'job-runner'],
  'automation/incoming-actions': [...makesRecords, ...configures, 'channels', 'history'],
  'automation/macros': [...configures, 'records', 'import-export', 'job-runner'],
  'automation/portal': ['portal', 'processes'],
  'automation/portal-items': [...configures, 'portal', 'processes', 'job-runner'],
  'automation/processes': [...makesRecords, ...configures, 'history', 'due-sweeper'],
  'automation/replies': [...makesRecords, 'channels'],
  'automation/snippets': [...configures, 'channels', 'job-runner'],
  'automation/subscriptions': [...configures, 'subscription-evaluation', 'job-runner'],
  'lists/columns': [
    ...readsLists,
    'views',
    'subscription-evaluation',
    'delivery-expansion',
    'search-indexer',
    'rollup-keeper',
  ],
  'lists/query': [
    ...readsLists,
    'views',
    'directory',
    'subscription-evaluation',
    'delivery-expansion',
    'rollup-keeper',
  ],
  'lists/search': [...makesRecords, ...configures, 'lists', 'views', 'search-indexer', 'rollup-keeper'],
  'messages/bell': [
    ...deliveries,
    ...readsMails,
    'notifications',
    'subscription-evaluation',
    'delivery-expansion',
    'job-runner',
    'channels',
  ],
  'messages/inbound-sources': ['incoming', 'inbound'],
  'messages/mailbox': [...readsMails, ...deliveries, 'account-mailer', 'channels', 'configuration', 'mailbox-poll'],
  'messages/messenger': [...makesRecords, ...deliveries, 'channels', 'messenger-webhook'],
  'messages/notifications': [...makesRecords, 'subscription-evaluation', 'delivery-expansion'],
  // Deliveries are held back by them, and a link in a mail changes them.
  'messages/preferences': [
    ...deliveries,
    'channels',
    'records',
    'notifications',
    'subscription-evaluation',
    'delivery-expansion',
    'job-runner',
  ],
  'messages/senders': [...deliveries, 'channels', 'account-mailer'],
  'operations/batches': ['import-export', 'job-runner'],
  'operations/configuration': [...configures, 'job-runner'],
  'operations/import-export': ['import-export', 'job-runner'],
  'operations/import-mappings': [...configures, 'import-export', 'job-runner'],
  'operations/maintenance': ['job-runner', 'nightly-repair'],
  'operations/tenant-life': ['tenant', 'job-runner', 'nightly-repair'],
  'operations/timeline': ['history'],
  'operations/warnings': [...configures, 'job-runner'],
  'platform/jobs': [
    ...configures,
    'tenant',
    'import-export',
    'processes',
    'channels',
    'jobs',
    'job-runner',
    'due-sweeper',
    'nightly-repair',
  ],
  'platform/listing': ['import-export', 'portal', 'processes', 'channels', 'incoming', 'jobs', 'job-runner'],
  'platform/net': [...deliveries, ...readsMails, 'account-mailer', 'auth', 'channels', 'incoming-rules'],
  'records/changes': ['history'],
  'records/comments': [
    ...makesRecords,
    'files',
    'history',
    'channels',
    'subscription-evaluation',
    'search-indexer',
    'delivery-expansion',
  ],
  'records/follow': ['history', 'portal'],
  'records/history': [...makesRecords, 'history', 'subscription-evaluation', 'audit'],
  'records/portal-requests': [...makesRecords, 'channels', 'history', 'subscription-evaluation', 'delivery-expansion'],
  'records/presence': ['records'],
  'records/records': [...readsLists, 'subscription-evaluation', 'rollup-keeper', 'due-sweeper'],
  'records/relations': [...makesRecords, ...configures, 'relations'],
  'records/rollups': ['fan-out', 'rollup-keeper', 'job-runner'],
  'records/snoozes': ['lists', 'records', 'import-export', 'job-runner'],
  'records/views': [...configures, 'lists', 'views', 'records', 'import-export', 'job-runner'],
  scripts: [...makesRecords, ...configures, 'history'],
  // Replies leave with their files.
  'tables/files': [
    ...makesRecords,
    ...configures,
    ...readsMails,
    'files',
    'history',
    'inbound',
    'messenger-webhook',
    'file-sweeper',
    ...deliveries,
    'channels',
  ],
  'tables/formulas': [...makesRecords, ...configures, 'history', 'rollup-keeper'],
  'tables/org-units': [...readsLists, 'views', 'subscription-evaluation', 'rollup-keeper', 'delivery-expansion'],
  'tables/record-types': [],
}
const readsAllSchemas = 'api-docs'

/** The bundles that the stories run, with the files that each is made of. */
const { assetDirectory } = await assemble()
const bundleOf = (name: string): string => join(assetDirectory, '..', 'functions', name)
const codeOf = (name: string): string => readFileSync(join(bundleOf(name), 'index.mjs'), 'utf8')
const inputsOf = (name: string): readonly BundleInput[] =>
  JSON.parse(readFileSync(join(bundleOf(name), inputsFile), 'utf8')) as BundleInput[]
const roomsOf = (inputs: readonly BundleInput[]): Set<string> =>
  new Set(inputs.flatMap(({ path }) => (path.startsWith('shared/') ? [roomOf(path)] : [])))

/** The shortest chain of imports from the handler into a room. */
function wayTo(room: string, name: string, inputs: readonly BundleInput[]): string[] {
  const known = new Map(inputs.map((input) => [input.path, input]))
  const ways = [[`${functionFolder(name)}/handler.ts`]]
  const seen = new Set(ways[0])
  for (const way of ways) {
    for (const next of known.get(way.at(-1) as string)?.imports ?? []) {
      if (seen.has(next)) continue
      seen.add(next)
      if (next.startsWith('shared/') && roomOf(next) === room) return [...way, next]
      ways.push([...way, next])
    }
  }
  return []
}

describe('the bundle', () => {
  it.each(deployedFunctions)('of $name is as large as it may be', ({ name }) => {
    const kB = Math.round(Buffer.byteLength(codeOf(name)) / 1000)
    const most = mostKB[name] ?? 0
    const largest = inputsOf(name)
      .toSorted((one, other) => other.sizeBytes - one.sizeBytes)
      .slice(0, 5)
      .map(({ path, sizeBytes }) => `  ${path}: ${Math.round(sizeBytes / 1000)} kB`)
    expect(
      kB,
      `${name} has ${kB} kB and may have ${most}. Its largest files of ours:\n${largest.join('\n')}`,
    ).toBeLessThanOrEqual(most)
    expect(kB, `${name} became smaller: ${kB} kB of ${most}. Set \`mostKB\` to what it needs`).toBeGreaterThan(
      0.75 * most,
    )
  })

  it.each(deployedFunctions)('of $name reaches no room that is reserved for others', ({ name }) => {
    const inputs = inputsOf(name)
    expect(inputs.length).toBeGreaterThan(0)
    const wrong = [...roomsOf(inputs)]
      .filter((room) => name !== readsAllSchemas && reserved[room]?.includes(name) === false)
      .map((room) => `${room} by ${wayTo(room, name, inputs).join(' > ')}`)
    expect(wrong).toEqual([])
  })

  it('is bounded by names of rooms and functions that exist', () => {
    const names = deployedFunctions.map(({ name }) => name)
    const reached = new Set(names.flatMap((name) => [...roomsOf(inputsOf(name))]))
    expect(Object.keys(reserved).filter((room) => !reached.has(room))).toEqual([])
    expect([...new Set(Object.values(reserved).flat())].filter((name) => !names.includes(name))).toEqual([])
    expect(Object.keys(mostKB).toSorted()).toEqual(names.toSorted())
  })
})

describe('the environment', () => {
  const isResource = (name: string): boolean => /^TABLE_NAME$|._BUCKET$|._QUEUE_URL$|._KEY_ARN$/.test(name)
  // It makes the names of its variables from the type of a channel.
  const wakesDeliveries = 'functions/wiring/messages/wake-deliveries.ts'
  const deliveryVariables = channelTypes.map((type) => queueVariable(deliveryQueueOf(type)))
  const quotedNames = /(?<=["'`])[A-Z_]+(?=["'`])/g

  it.each(deployedFunctions)('of $name holds the resources that its code requires, and no others', (entry) => {
    const named = [...new Set(codeOf(entry.name).match(quotedNames))].filter(isResource)
    const required = inputsOf(entry.name).some(({ path }) => path === wakesDeliveries)
      ? [...named, ...deliveryVariables]
      : named
    expect(required.toSorted()).toEqual(entry.environment.filter(isResource).toSorted())
  })
})
