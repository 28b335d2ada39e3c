import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleFunctions, functionFolder, type BundledCode, type BundleInput } from '../../esbuild.config.ts'
import { deployedFunctions } from '../../infra/catalogue/functions.ts'
import { queueVariable } from '../../infra/catalogue/queues.ts'
import { channelTypes, deliveryQueueOf } from '../../shared/messages/channels/schema.ts'
import { roomOf } from '../lint/import-fault.ts'

/** What a function reaches: the size of its bundle, and how many files of each folder are in it. */
interface Closure {
  readonly kB: number
  readonly files: Readonly<Record<string, number>>
}

interface Measured extends Closure {
  readonly inputs: readonly BundleInput[]
  readonly code: string
}

const tableFile = join(import.meta.dirname, 'import-closure.json')
const table = JSON.parse(readFileSync(tableFile, 'utf8')) as Readonly<Record<string, Closure>>
const updates = process.env.UPDATE_CLOSURES === '1'
const howToUpdate =
  'If that is meant: UPDATE_CLOSURES=1 npm test -- --project template test/template/import-closure.test.ts'
/** Packages and comments move the size a little without anybody's doing. */
const tolerance = 0.02

const measured = new Map<string, Measured>()
beforeAll(async () => {
  const bundles = await bundleFunctions(deployedFunctions.map(({ name }) => name))
  for (const bundle of bundles) measured.set(bundle.name, measure(bundle))
}, 300_000)

afterAll(() => {
  // After a hook that failed or timed out, the file stays what it was.
  if (!updates || deployedFunctions.some(({ name }) => !measured.has(name))) return
  const next = Object.fromEntries([...measured].map(([name, { kB, files }]) => [name, { kB, files }]))
  writeFileSync(tableFile, `${JSON.stringify(next, null, 2)}\n`)
})

function measure({ code, inputs }: BundledCode): Measured {
  const own = inputs.filter(({ path }) => !path.includes('node_modules/'))
  const byFolder = Map.groupBy(own, ({ path }) => folderOf(path))
  const files = Object.fromEntries([...byFolder].map(([folder, found]) => [folder, found.length]).toSorted())
  return { kB: Math.round(code.byteLength / 1000), files, inputs: own, code: new TextDecoder().decode(code) }
}

/** `shared/platform/store`, `functions/api/records`, `functions/wiring`. */
const folderOf = (path: string): string =>
  path.startsWith('shared/') ? `shared/${roomOf(path)}` : dirname(path).split('/').slice(0, 3).join('/')
const closureOf = (name: string): Measured => measured.get(name) as Measured

/** What changed, and through which imports a folder that grew is reached. */
function explain(name: string, before: Closure | undefined): string {
  const { kB, files, inputs } = closureOf(name)
  if (!before) return `${name} is not in import-closure.json. ${howToUpdate}`
  const folders = [...new Set([...Object.keys(before.files), ...Object.keys(files)])]
  const changes = folders.flatMap((folder) => {
    const [was, is] = [before.files[folder] ?? 0, files[folder] ?? 0]
    if (was === is) return []
    const found = inputs.map(({ path }) => path).filter((path) => folderOf(path) === folder)
    const reached = is > was ? `\n    ${found.join('\n    ')}\n  by ${wayTo(folder, name, inputs).join(' > ')}` : ''
    return [`  ${folder}: ${was} files before, ${is} now${reached}`]
  })
  return [
    `${functionFolder(name)} reaches other code: ${before.kB} kB before, ${kB} kB now.`,
    ...changes,
    howToUpdate,
  ].join('\n')
}

/** The shortest chain of imports from the handler into a folder. */
function wayTo(folder: string, name: string, inputs: readonly BundleInput[]): string[] {
  const known = new Map(inputs.map((input) => [input.path, input]))
  const ways = [[`${functionFolder(name)}/handler.ts`]]
  const seen = new Set(ways[0])
  for (const way of ways) {
    for (const next of known.get(way.at(-1) as string)?.imports ?? []) {
      if (seen.has(next)) continue
      seen.add(next)
      if (folderOf(next) === folder) return [...way, next]
      ways.push([...way, next])
    }
  }
  return []
}

describe('the import closure', () => {
  it.each(deployedFunctions)('of $name is the one in import-closure.json', ({ name }) => {
    if (updates) return
    const before = table[name]
    const { kB, files } = closureOf(name)
    expect(files, explain(name, before)).toEqual(before?.files)
    const isNear = before !== undefined && Math.abs(kB - before.kB) <= before.kB * tolerance
    expect(isNear, explain(name, before)).toBe(true)
  })

  it('is held for the functions of the catalogue and no others', () => {
    if (updates) return
    expect(Object.keys(table).toSorted()).toEqual(deployedFunctions.map(({ name }) => name).toSorted())
  })
})

describe('the environment', () => {
  const isResource = (name: string): boolean => /^TABLE_NAME$|._BUCKET$|._QUEUE_URL$|._KEY_ARN$/.test(name)
  // It makes the names of its variables from the type of a channel.
  const wakesDeliveries = 'functions/wiring/messages/wake-deliveries.ts'
  const deliveryVariables = channelTypes.map((type) => queueVariable(deliveryQueueOf(type)))
  const quotedNames = /(?<=["'`])[A-Z_]+(?=["'`])/g

  it.each(deployedFunctions)('of $name holds the resources that its code requires, and no others', (entry) => {
    const { code, inputs } = closureOf(entry.name)
    const named = [...new Set(code.match(quotedNames))].filter(isResource)
    const required = inputs.some(({ path }) => path === wakesDeliveries) ? [...named, ...deliveryVariables] : named
    expect(required.toSorted()).toEqual(entry.environment.filter(isResource).toSorted())
  })
})
