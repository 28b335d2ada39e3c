/**
 * The folders of a room have an order, too: no two of them import each other. What lies beside the folders of a room, such as
 * its schema, or in a folder beside inner ones, such as a registry, belongs to none of them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { roomOf } from './import-fault.ts'

const root = join(import.meta.dirname, '../..')

/** Two folders of one room, as `<room>/<folder> <room>/<folder>` in the order of the alphabet. */
type Pair = string

/** Those that import each other still; nothing may be added. */
export const knownCircles: ReadonlySet<Pair> = new Set(
  `
  automation/incoming-actions: match prepare, prepare run, process-message run
  kernel: runtime throttling
  lists/query: evaluate read, grammar kinds, grammar read
  messages/deliveries: attempt threads, rows state
  messages/mailbox: mail threads
  operations/batches: merge work, undo work
  platform/http: paging routing, routing table-names, routing/input routing/json
  platform/store: client writes
  records/records: delete hooks, delete write, hooks read, hooks write, read write, rules write
  scripts: sandbox/host sandbox/worker
  `
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [room = '', pairs = ''] = line.trim().split(': ')
      return pairs.split(', ').map((pair) => pair.replace(/\S+/g, (folder) => `${room}/${folder}`))
    }),
)

/** The two folders beside each other that an import leads from and to; undefined when there are none in one room. */
function foldersOf(from: string, target: string): readonly [string, string] | undefined {
  if (!target.startsWith('shared/') || roomOf(from) !== roomOf(target)) return undefined
  const room = roomOf(from)
  const [path, targetPath] = [from, target].map((file) =>
    dirname(file)
      .slice(`shared/${room}`.length + 1)
      .split('/'),
  )
  const fork = path?.findIndex((folder, depth) => folder !== targetPath?.[depth]) ?? -1
  const [folder, targetFolder] = [path, targetPath].map((parts) => parts?.slice(0, fork + 1) ?? [])
  const isBeside = fork >= 0 && targetFolder?.length === fork + 1 && folder?.[0] !== '' && targetFolder[0] !== ''
  return isBeside ? [`${room}/${folder?.join('/')}`, `${room}/${targetFolder.join('/')}`] : undefined
}

/** The imports from folder to folder of some files: `<folder> <folder>`. */
export function folderImports(files: Iterable<readonly [path: string, text: string]>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [from, text] of files)
    for (const [, target = ''] of text.matchAll(/(?:from\s+|import\s*\(\s*)'(\.[^']+)'/g)) {
      const folders = foldersOf(from, join(dirname(from), target))
      if (folders) found.add(folders.join(' '))
    }
  return found
}

/** The pairs of folders that import each other. */
export const circlesIn = (imports: ReadonlySet<string>): readonly Pair[] =>
  [...imports].filter((pair) => {
    const [folder = '', other = ''] = pair.split(' ')
    return folder < other && imports.has(`${other} ${folder}`)
  })

/** The files of `shared/` with their texts. */
export const sharedFiles = (): (readonly [string, string])[] =>
  readdirSync(join(root, 'shared'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
    .map((file) => [`shared/${file}`, readFileSync(join(root, 'shared', file), 'utf8')] as const)

let all: ReadonlySet<string> | undefined

/** Says why an import closes a circle of two folders; undefined when it does not. */
export function circleFault(
  from: string,
  target: string,
  imports: () => ReadonlySet<string> = () => (all ??= folderImports(sharedFiles())),
): string | undefined {
  if (!from.startsWith('shared/')) return undefined
  const folders = foldersOf(from, target)
  if (folders === undefined || knownCircles.has(folders.toSorted().join(' '))) return undefined
  const [folder, other] = folders
  return imports().has(`${other} ${folder}`)
    ? `${folder} and ${other} import each other: move what both need down, or into a folder below both.`
    : undefined
}
